"""The referee of the toy Tally."""

CARDS = range(1, 9)
LAY = 1


def legal_actions(position: dict) -> set[str]:
    """Lay any card of the hand; or bury one, or none."""
    state = position["state"]
    frame = state["stack"][0]
    hand = state["seats"][frame.get("seat", 0)].get("hand", [0] * 8)
    held = [card for card, here in zip(CARDS, hand, strict=True) if here]
    if frame["kind"] == LAY:
        return {f"lay {card}" for card in held}
    return {f"bury {card}" for card in held} | {"bury nothing"}
