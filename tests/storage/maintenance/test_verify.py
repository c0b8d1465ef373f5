"""Checking a workspace: each kind of damage is found and named; a sound one has none."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

from typer.testing import CliRunner

from pagetrail.app.cli.main import app
from pagetrail.storage.corpus.changes import raise_revision
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.verify import verify
from pagetrail.storage.search.store import ensure_index
from tests.storage.maintenance.conftest import file_of


def problems(workspace: Workspace) -> dict[str, list[str]]:
    """What each check found."""
    return {check.name: check.problems for check in verify(workspace)}


def test_a_sound_workspace_has_no_problem(annotated: Workspace) -> None:
    """Otherwise nobody would believe it."""
    ensure_index(annotated)
    assert problems(annotated) == {
        "database": [],
        "attempts": [],
        "gold": [],
        "hidden checks": [],
        "originals": [],
        "documents": [],
        "index": [],
        "unfinished work": [],
    }
    result = CliRunner().invoke(app, ["verify", str(annotated.root), "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["ok"] is True


def test_documents_are_compared_with_what_was_ingested(annotated: Workspace) -> None:
    """Missing, changed, and of no document."""
    file_of(annotated, "annual report.pdf").write_text("changed", encoding="utf-8")
    file_of(annotated, "b.pdf").unlink()
    (annotated.corpus_dir / f"{'0' * 64}.pdf").touch()
    found_problems = problems(annotated)["documents"]
    assert len(found_problems) == 3
    assert "annual report.pdf" in found_problems[0] + found_problems[1]
    assert any("is missing" in line for line in found_problems)
    assert any("not what was ingested" in line for line in found_problems)
    assert found_problems[2] == f"corpus/{'0' * 64}.pdf belongs to no document; it may be deleted."
    assert CliRunner().invoke(app, ["verify", str(annotated.root)]).exit_code == 1


def test_a_stored_state_that_differs_from_the_log_is_named(annotated: Workspace) -> None:
    """The log is the truth."""
    with write_transaction(annotated.engine) as connection:
        connection.exec_driver_sql(
            "UPDATE attempt_state SET status = 'open', n_searches = 9 WHERE attempt_id = '1-Ada'"
        )
    assert problems(annotated)["attempts"] == [
        "Stored state differs from the log: 1-Ada. Run pagetrail rebuild."
    ]


def test_an_index_of_an_earlier_collection_is_told(annotated: Workspace) -> None:
    """None at all is only noted, as in a workspace just restored."""
    (check,) = (check for check in verify(annotated) if check.name == "index")
    assert check.ok
    assert ["no index yet" in note for note in check.notes] == [True]
    result = CliRunner().invoke(app, ["verify", str(annotated.root)])
    assert result.exit_code == 0
    assert "no index yet" in result.stderr
    ensure_index(annotated)
    with write_transaction(annotated.engine) as connection:
        raise_revision(connection)
    assert len(problems(annotated)["index"]) == 1


def test_a_damaged_database_is_told_and_nothing_else_is_read(
    annotated: Workspace,
) -> None:
    """A row that points nowhere."""
    with closing(sqlite3.connect(annotated.root / DATABASE_NAME)) as connection:
        connection.execute("UPDATE attempt SET user_id = 4711 WHERE id = '1-Ada'")
        connection.commit()
    problems_found = problems(annotated)
    assert [*problems_found] == ["database"]
    assert len(problems_found["database"]) == 1
    assert (
        "of attempt belongs to a row of user_account that does not exist"
        in problems_found["database"][0]
    )
