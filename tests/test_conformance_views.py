"""Conformance lines 8 to 11: observations."""

import pytest
from checks import views
from checks.cases import Case, every_case, main_case, preset_case


@main_case
def test_8_9_every_seat_sees_at_any_time(case: Case) -> None:
    views.every_seat_sees_at_any_time(case)


@pytest.mark.checked
@pytest.mark.plain
@main_case
def test_9_views_stay_in_bounds(case: Case) -> None:
    views.views_stay_in_bounds(case)


@pytest.mark.slow
@main_case
def test_9_millions_of_views_stay_in_bounds(case: Case) -> None:
    views.views_stay_in_bounds(case, states=1_000_000)


@preset_case
def test_9_features_encode_the_view(case: Case) -> None:
    views.encodings_match(case)


@preset_case
def test_10_observations_are_kept(case: Case) -> None:
    views.observations_are_kept(case)


@every_case
def test_11_fields_are_documented(case: Case) -> None:
    views.fields_are_documented(case)
