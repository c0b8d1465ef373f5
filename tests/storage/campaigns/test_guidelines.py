"""Guidelines: nobody overwrites anybody, and every version can be had again."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, select

from pagetrail.annotation.clock import ManualClock
from pagetrail.annotation.errors import (
    ConflictError,
    Forbidden,
    NotFoundError,
    PagetrailError,
    StorageError,
)
from pagetrail.storage.campaigns import guidelines
from pagetrail.storage.campaigns.guidelines import (
    MAX_CHARACTERS,
    StaleGuidelines,
    difference,
    guideline_versions,
    guidelines_of,
    save_guidelines,
    version_text,
)
from pagetrail.storage.campaigns.lifecycle import archive_campaign
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people import accounts as people
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit_entries
from tests.storage.task_data import add_people
from tests.support.at_once import run_at_once
from tests.support.factory import make_workspace, start_clock


@pytest.fixture
def otters(tmp_path: Path) -> Workspace:
    """A campaign with guidelines, two supervisors and two annotators."""
    workspace = make_workspace(tmp_path / "ws")
    add_people(workspace, ["Sven", "Ørsted/.."], "supervisor")
    return workspace


@pytest.fixture
def sven(otters: Workspace) -> Person:
    """A supervisor."""
    return people.find_person(otters, "Sven")


def _clock(seconds: float) -> ManualClock:
    clock = start_clock()
    clock.advance(seconds=seconds)
    return clock


def test_every_version_is_kept_with_the_original(otters: Workspace, sven: Person) -> None:
    """Newest first, with who and when, and the name by which it is asked for."""
    assert guideline_versions(otters, "Otters") == []
    first = guidelines_of(otters, "Otters")
    second = save_guidelines(
        otters, sven, "Otters", "# Two\r\n", based_on=first.mark, clock=_clock(60)
    )
    third = save_guidelines(
        otters,
        people.find_person(otters, "Ørsted/.."),
        "Otters",
        "# Three ü",
        based_on=second.mark,
        clock=_clock(120),
    )
    history = guideline_versions(otters, "Otters")
    assert [(v.by, v.characters, v.in_force) for v in history] == [
        ("Ørsted/..", 9, True),
        ("Sven", 6, False),
        ("original", 12, False),
    ]
    assert [v.at for v in history] == [
        "2026-03-02T09:02:00.250000Z",
        "2026-03-02T09:01:00.250000Z",
        "2026-03-02T09:00:00.250000Z",
    ]
    assert [version_text(otters, "Otters", v.id) for v in history] == [
        "# Three ü",
        "# Two\n",
        "# Guidelines",
    ]
    assert guidelines_of(otters, "Otters") == third
    assert [v.id for v in history] == [
        "2026-03-02T090200.250000Z-pseudonym_of_rsted_",
        "2026-03-02T090100.250000Z-pseudonym_of_Sven",
        "2026-03-02T090000.250000Z-original",
    ]
    assert [entry.action for entry in audit_entries(otters)] == ["guidelines_saved"] * 2


def test_an_older_version_is_put_in_force_again(otters: Workspace, sven: Person) -> None:
    """A version of its own, noted as restored; only the newest of two equal texts is current."""
    save_guidelines(otters, sven, "Otters", "# Two", based_on=None, clock=_clock(1))
    old = guideline_versions(otters, "Otters")[-1]
    text = version_text(otters, "Otters", old.id)
    save_guidelines(otters, None, "Otters", text, based_on=None, restored=old.id, clock=_clock(2))
    assert guidelines_of(otters, "Otters").text == "# Guidelines"
    assert [(v.by, v.in_force) for v in guideline_versions(otters, "Otters")] == [
        ("command line", True),
        ("Sven", False),
        ("original", False),
    ]
    newest = audit_entries(otters)[0]
    assert newest.actor == "command line"
    assert newest.detail.endswith(f"restored from {old.id}")


def test_a_stale_editor_is_refused_and_told_what_is_there(otters: Workspace, sven: Person) -> None:
    """Neither text is lost: the current one comes with the refusal, the other stays with its
    author, who may then save it knowingly."""
    current = guidelines_of(otters, "Otters")
    save_guidelines(otters, sven, "Otters", "# Sven's", based_on=current.mark, clock=_clock(60))
    with pytest.raises(StaleGuidelines, match="saved by Sven at 09:01 UTC since") as refused:
        save_guidelines(otters, None, "Otters", "# Mine", based_on=current.mark)
    assert refused.value.current.text == "# Sven's"
    assert len(guideline_versions(otters, "Otters")) == 2
    save_guidelines(otters, None, "Otters", "# Mine", based_on=refused.value.current.mark)
    assert guidelines_of(otters, "Otters").text == "# Mine"


def test_saving_what_is_there_already_is_no_act(otters: Workspace, sven: Person) -> None:
    """A second click: no version, no note; also where the other tab saved the same text."""
    mark = guidelines_of(otters, "Otters").mark
    for _ in range(2):
        save_guidelines(otters, sven, "Otters", "# Two", based_on=mark)
    assert len(guideline_versions(otters, "Otters")) == 2
    assert len(audit_entries(otters)) == 1


def test_of_two_who_save_at_once_one_is_refused(otters: Workspace, sven: Person) -> None:
    """The write lock orders them; the current text has its version."""
    mark = guidelines_of(otters, "Otters").mark
    barrier = threading.Barrier(2)
    refused: list[StaleGuidelines] = []

    def save(text: str) -> None:
        barrier.wait()
        try:
            save_guidelines(otters, sven, "Otters", text, based_on=mark)
        except StaleGuidelines as error:
            refused.append(error)

    run_at_once([partial(save, text) for text in ("# A", "# B")])
    assert len(refused) == 1
    now = guidelines_of(otters, "Otters").text
    assert refused[0].current.text == now
    assert [v.in_force for v in guideline_versions(otters, "Otters")] == [True, False]


def test_saves_of_one_moment_are_all_kept(otters: Workspace, sven: Person) -> None:
    """The same microsecond and the same author: each has a name of its own, the order holds."""
    for number in range(12):
        save_guidelines(otters, sven, "Otters", f"# {number}", based_on=None, clock=_clock(5))
    history = guideline_versions(otters, "Otters")
    assert len({v.id for v in history}) == 13
    texts = [version_text(otters, "Otters", v.id) for v in history]
    assert texts == [f"# {number}" for number in reversed(range(12))] + ["# Guidelines"]


def test_annotators_and_archived_campaigns_are_refused(otters: Workspace, sven: Person) -> None:
    """Nothing changes and nothing is kept."""
    with pytest.raises(Forbidden):
        save_guidelines(otters, people.find_person(otters, "Ada"), "Otters", "x", based_on=None)
    archive_campaign(otters, sven, "Otters", unfinished=True)
    with pytest.raises(ConflictError, match="archived"):
        save_guidelines(otters, sven, "Otters", "x", based_on=None)
    assert guidelines_of(otters, "Otters").text == "# Guidelines"
    assert guideline_versions(otters, "Otters") == []


@pytest.mark.parametrize("text", ["x" * (MAX_CHARACTERS + 1), "a\0b", "\ud800"])
def test_what_is_no_text_is_refused(otters: Workspace, sven: Person, text: str) -> None:
    """Too long, or characters that no file holds."""
    with pytest.raises(PagetrailError):
        save_guidelines(otters, sven, "Otters", text, based_on=None)
    assert guideline_versions(otters, "Otters") == []


def test_a_save_that_fails_leaves_everything_as_it_was(
    otters: Workspace, sven: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database fails at the last step: neither the text nor a version is stored."""

    def fail(*_: object, **__: object) -> None:
        raise StorageError("The disk is full.")

    monkeypatch.setattr(guidelines, "audit_in", fail)
    with pytest.raises(StorageError):
        save_guidelines(otters, sven, "Otters", "# Two", based_on=None)
    assert guideline_versions(otters, "Otters") == []
    assert guidelines_of(otters, "Otters").text == "# Guidelines"


def test_versions_are_asked_for_by_their_names_only(otters: Workspace, sven: Person) -> None:
    """Part of a name is none, and a campaign's versions are not another's."""
    save_guidelines(otters, sven, "Otters", "# Two", based_on=None)
    first = guideline_versions(otters, "Otters")[0]
    with write_transaction(otters.engine) as connection:
        row = connection.execute(select(Campaign).where(Campaign.name == "Otters")).one()
        connection.execute(
            insert(Campaign).values(row._asdict() | {"id": row.id + 1, "name": "Stoats"})
        )
    assert guideline_versions(otters, "Stoats") == []
    with pytest.raises(NotFoundError):
        version_text(otters, "Stoats", first.id)
    for name in ("", "%", first.id[:-1], first.id.lower()):
        with pytest.raises(NotFoundError):
            version_text(otters, "Otters", name)
    assert len(guideline_versions(otters, "Otters")) == 2


def test_the_difference_names_the_lines() -> None:
    """What went and what came, with a line around it, and nothing for equal texts."""
    assert difference("a\nb\nc", "a\nx\nc") == "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c"
    assert difference("a", "a") == ""


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_difference_is_empty_for_equal_lines_only(old: str, new: str) -> None:
    """On any two texts: empty exactly where the lines are the same."""
    assert (difference(old, new) == "") == (old.splitlines() == new.splitlines())
