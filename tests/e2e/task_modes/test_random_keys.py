"""Keys faster than anybody looks, in elements that are verified and in rows that are judged."""

from __future__ import annotations

import pytest

from tests.e2e.support.preset_workspace import CHART, LAYOUT, PATCHES, SURVEY
from tests.e2e.support.random_keys import Units, check_random_keys
from tests.e2e.support.reused_tab import TaskOf

ELEMENTS = Units("[data-testid=element]", "[aria-current=true]", "data-verdict")
ROWS = Units("[data-testid=row]", ":focus-within", "data-value")


@pytest.mark.parametrize(
    ("campaign", "task", "units", "keys"),
    [
        (LAYOUT, "two-pages", ELEMENTS, "v v v j k 2 Delete"),
        (CHART, "otters", ROWS, "r r w c ArrowDown"),
        (PATCHES, "survey", ROWS, "a r a ArrowDown ArrowUp"),
    ],
)
def test_random_keys(task_of: TaskOf, campaign: str, task: str, units: Units, keys: str) -> None:
    """Nothing is judged unseen, and nothing but what the key was pressed for."""
    screen = task_of(task, campaign)
    screen.wait_until_painted(SURVEY, 1)
    check_random_keys(screen, units, keys, seed=7)
