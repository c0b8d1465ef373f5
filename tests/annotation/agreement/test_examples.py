"""The examples in the docstrings are run."""

from __future__ import annotations

import doctest

import pytest

from pagetrail.annotation.agreement import estimation as estimate
from pagetrail.annotation.agreement import zones


@pytest.mark.parametrize("module", [estimate, zones], ids=lambda module: module.__name__)
def test_docstring_examples(module: object) -> None:
    """Each module has an example, and it gives what it says."""
    failed, run = doctest.testmod(module)  # type: ignore[arg-type]
    assert run > 0
    assert failed == 0
