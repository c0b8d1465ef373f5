"""A workspace and a backup of an earlier version: they open, verify, and give the same results.

``workspace.tar.xz`` is from commit 44972007 (``make_workspace``), ``results.tar.xz`` what that
version exported and reported. Results that differ now are recorded in ``changed/`` by
``python -m tests.upgrades.record``, and each has a reason in ``ALLOWED``. Whoever changes results
on purpose runs it, looks at the summary (``--show PATH`` prints differences), adds the reason here
and says the same in the changelog.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from pagetrail.annotation.clock import SystemClock
from pagetrail.app.cli.main import app
from pagetrail.storage.database.base import metadata
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.restore import restore
from pagetrail.storage.maintenance.verify import verify
from pagetrail.storage.snapshot.pages import ExportPages
from tests.support.built_once import built_once
from tests.upgrades.record import (
    COMMAND,
    baseline,
    difference,
    differences,
    recorded_changes,
    unpack,
)
from tests.upgrades.results import results_of

ALLOWED: dict[str, str] = {
    **dict.fromkeys(
        ("*/scores/*", "*/dataset/*", "*/trajectories/*"),
        "rows have the columns without_documents and document_version or document_versions, "
        "feedback events the field undecided, and the rule "
        "leaves undecided what no named case decides; accuracies on the card are ranges",
    ),
    **dict.fromkeys(
        ("*/madqa/*", "*/atif/*", "*/inspect/*", "*/runs/*"),
        "runs without documents are marked, and are in no runs; verdicts are by the new rule; "
        "undecided answers make a range",
    ),
    "*/metrics/*": "judges: people alone are compared, and that nobody has judged is said; "
    "verdicts are by the new rule; what results rest on is named; undecided answers make a range; "
    "dashes of charts have the legend of their colours",
    "*/agreement/*": "fields of several options are complete, and boxes have one unit",
    "*/trajectory-tasks/*": "the order of blind judging says nothing of the system",
    "*/pilot/*": "undecided answers are counted, and a pilot may wait for a supervisor",
    "*/quality/*": "undecided answers to hidden checks are neither right nor wrong",
    "*/judgements/*": "judgements of one's own answer are marked",
    "*/manifest.json": "protocols have the setting own_answers",
    "*/suspects/*": "runs without documents are no participants; verdicts are by the new rule; "
    "undecided answers make a range",
}
"""Pattern of results (``campaign/format/file``; ``*`` for anything) → why they differ now."""

BEFORE = baseline()
CAMPAIGNS = sorted({path.split("/", 1)[0] for path in BEFORE})


@pytest.fixture(autouse=True)
def undrawn_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are not drawn: images are not compared."""
    monkeypatch.setattr(ExportPages, "jpeg", lambda *_: b"jpeg")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``workspace``, opened by this version, and ``restored``, from the backup."""

    def build(folder: Path) -> None:
        unpack(folder)
        restore(folder / "backup", folder / "restored", SystemClock())
        for name in ("workspace", "restored"):
            Workspace.open(folder / name).engine.dispose()

    return built_once(tmp_path_factory, "old workspace", build)


@pytest.fixture(params=["workspace", "restored"])
def old(request: pytest.FixtureRequest, opened: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A copy of either."""
    workspace = Workspace.open(shutil.copytree(opened / request.param, tmp_path / "ws"))
    yield workspace
    workspace.engine.dispose()


def test_everything_verifies(old: Workspace) -> None:
    """After its migration; that the index is to be built again is all there is to say."""
    checks = {check.name: list(check.problems) for check in verify(old)}
    del checks["index"]
    assert checks == {name: [] for name in checks}


def test_backup_holds_what_the_workspace_holds(opened: Path) -> None:
    """Row by row, so that its exports and reports are the same as well."""
    assert rows_of(opened / "workspace") == rows_of(opened / "restored")


def test_recheck_lists_what_the_workspace_has(opened: Path) -> None:
    """Hasty grades, an undone drawing and judgements of one's own answer; nothing is changed."""
    before = rows_of(opened / "restored")
    result = CliRunner().invoke(app, ["recheck", str(opened / "restored"), "--json"])
    counts = {row["campaign"]: row["counts"] for row in json.loads(result.stdout)}
    assert counts["Pages: graded for relevance"]["hasty_verdict"] == 7
    assert counts["Organisations: human baseline"]["undone_drawing"] == 1
    assert counts["Trajectories: judged step by step"]["own_answer"] == 3
    assert rows_of(opened / "restored") == before


def rows_of(root: Path) -> dict[str, list[Any]]:
    """All rows of all tables, but of running state."""
    workspace = Workspace.open(root)
    with workspace.engine.connect() as connection:
        rows = {
            name: sorted(map(repr, connection.execute(select(table))))
            for name, table in metadata.tables.items()
            if name != "meta"
        }
    workspace.engine.dispose()
    return rows


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_results_are_those_of_the_old_version(opened: Path, tmp_path: Path, campaign: str) -> None:
    """All exports and reports of a campaign, but for the differences that are recorded."""
    root = shutil.copytree(opened / "workspace", tmp_path / "ws")
    after = results_of(root, campaign)
    before = {path: text for path, text in BEFORE.items() if path.startswith(f"{campaign}/")}
    expected = {path: value for path, value in recorded_changes().items() if path in before | after}
    changes = differences(before, after)
    wrong = sorted(
        path for path in changes.keys() | expected.keys() if changes.get(path) != expected.get(path)
    )
    report = "\n\n".join(
        f"{path}\n{difference(before.get(path, ''), after.get(path, ''))}" for path in wrong[:5]
    )
    assert not wrong, f"{len(wrong)} results changed. If it is meant, run {COMMAND}.\n{report}"


def test_each_recorded_difference_has_its_reason() -> None:
    """And each reason a difference."""
    paths = recorded_changes()
    unexplained = [p for p in paths if not any(fnmatchcase(p, pattern) for pattern in ALLOWED)]
    assert not unexplained
    unused = [q for q in ALLOWED if not any(fnmatchcase(path, q) for path in paths)]
    assert not unused
