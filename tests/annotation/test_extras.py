"""Installation hints name packages that can be installed."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from pagetrail.annotation.extras import install_command

ROOT = Path(__file__).parents[2]
EXTRAS: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
    "optional-dependencies"
]
EXTRAS.pop("dev")


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_command_installs_the_packages_of_the_extra(extra: str) -> None:
    """With the running Python, and without the name of a package that is not published."""
    command = shlex.split(install_command(extra))
    assert command[:4] == [sys.executable, "-m", "pip", "install"]
    names = {re.split(r"[<>=]", requirement)[0] for requirement in command[4:]}
    assert names == {re.split(r"[<>=]", requirement)[0] for requirement in EXTRAS[extra]}


def test_an_unknown_extra_is_refused() -> None:
    """A typing error in the code is found by its own test."""
    with pytest.raises(LookupError, match="nonsense"):
        install_command("nonsense")


def test_no_page_installs_pagetrail_from_a_package_index() -> None:
    """Nothing is published, so no document may tell anybody to install it from there."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    wrong = [page.name for page in pages if re.search(r"pip install '?pagetrail", page.read_text())]
    assert not wrong
