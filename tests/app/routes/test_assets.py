"""The files that a component's page asks for at once."""

from __future__ import annotations

from pagetrail.app.routes.assets import ASSETS, VERSION, needed


def test_every_file_is_fetched_at_once_by_a_component_that_needs_it() -> None:
    """No module is left to a later round trip, and none is served that nothing uses."""
    fetched = {
        path.partition(f"/{VERSION}/")[2]
        for component in ("workspace", "reviewing", "replay", "upload")
        for path in needed("", component)
    }
    files = {path.relative_to(ASSETS).as_posix() for path in ASSETS.rglob("*.*")}
    assert fetched == files


def test_types_in_comments_are_not_fetched() -> None:
    """The upload's page asks for its own module and what that one imports."""
    names = [path.rpartition("/")[2] for path in needed("", "upload")]
    assert names == ["main.js", "dom.js", "notation.js"]
