"""What tests of Pandemic's resampled worlds must know.

By a ruling the View does not keep what the choice of the first player says about the other hands
(nobody holds a city of more people than the card that decided).  A resampled world is as likely as
the truth only among worlds in which the same seat would have been chosen by the same card.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outbreak_rl.envs import game as find_game


def same_story(options: Any, truth: np.ndarray, worlds: np.ndarray) -> np.ndarray:
    """bool (n,): whether each world, just dealt, would begin as the truth did."""
    population = find_game("pandemic").tables(options)[0]["population"]

    def deciding(states: np.ndarray) -> np.ndarray:
        """The largest population in any hand, and the first seat that holds it."""
        cities = states["seats"]["hand"][:, :, : len(population)]
        best = np.where(cities > 0, population, -1).max(axis=2)
        return np.stack([best.max(axis=1), best.argmax(axis=1)], axis=1)

    return (deciding(truth) == deciding(worlds)).all(axis=1)
