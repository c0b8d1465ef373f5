"""The audit log under changing names: what it stores stays, what it shows is current."""

from __future__ import annotations

from importlib import import_module

import pytest
from sqlalchemy import insert, select

from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Audit, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.people.administration import add_account, anonymise, change_role, rename
from pagetrail.storage.people.audit import PersonName, audit, audit_entries
from tests.support.audit_log import audited

PASSWORD = "correct horse"
READER = import_module(
    "pagetrail.storage.database.migrations.versions.0110_people_in_audit"
).AuditTexts


def _stored(workspace: Workspace) -> list[tuple[object, ...]]:
    with workspace.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(select(Audit).order_by(Audit.id))]


def _former_names(workspace: Workspace) -> dict[str, list[str]]:
    with workspace.engine.connect() as connection:
        return {row.name: row.former_names for row in connection.execute(select(User))}


def test_a_new_name_changes_entries_about_the_person_and_no_sentence(workspace: Workspace) -> None:
    """Not even of somebody whose name is a word; rows are the same to the byte."""
    add_account(workspace, None, "root", "admin", PASSWORD)
    add_account(workspace, None, "search", "annotator", PASSWORD)
    add_account(workspace, None, "line", "annotator", PASSWORD)
    audit(workspace, find_person(workspace, "search"), "said", "how to search a line")
    before = _stored(workspace)
    rename(workspace, None, "search", "Quaero")
    rename(workspace, None, "line", "Linea")
    assert audited(workspace)[1:4] == [
        ("command line", "user_added", "Quaero as annotator"),
        ("command line", "user_added", "Linea as annotator"),
        ("Quaero", "said", "how to search a line"),
    ]
    assert _stored(workspace)[: len(before)] == before
    change_role(workspace, find_person(workspace, "root"), "Quaero", "supervisor")
    assert audited(workspace)[-1] == ("root", "role_changed", "Quaero: annotator → supervisor")


def test_entries_are_found_by_the_current_name(workspace: Workspace) -> None:
    """Not by a former one; who has no account stays as written."""
    add_account(workspace, None, "Ada", "annotator", PASSWORD)
    audit(workspace, "Adele", "sign-in failed", "from 10.0.0.1")
    rename(workspace, None, "Ada", "Grace")
    assert [entry.action for entry in audit_entries(workspace, text="GRACE")] == ["user_added"]
    assert [entry.actor for entry in audit_entries(workspace, text="ade")] == ["Adele"]


def test_no_text_names_a_person(workspace: Workspace) -> None:
    """The placeholder in a text is none; names beyond the limit are cut off with their text."""
    add_user(workspace, "Ada", "annotator", PASSWORD)
    audit(workspace, None, "said", ["\ufffc by ", PersonName("Ada"), " and ", PersonName("nobody")])
    audit(workspace, None, "said", [PersonName("Ada"), "x" * 2_000, PersonName("Ada")])
    assert [detail for *_, detail in audited(workspace)] == [
        "\ufffd by Ada and nobody",
        "Ada" + "x" * 1_999,
    ]


def test_a_forgotten_person_is_in_no_text(workspace: Workspace) -> None:
    """Under no name that they had; a former name is only stored as long as a text has it."""
    for name in ("Ada", "Bo"):
        add_user(workspace, name, "annotator", PASSWORD)
    audit(workspace, "Ada", "forbidden page", "Ada's and Adam's page")
    rename(workspace, None, "Ada", "Grace")
    rename(workspace, None, "Bo", "Cy")
    audit(workspace, None, "said", "Grace was Ada")
    rename(workspace, None, "Grace", "Emmy")
    assert _former_names(workspace) == {"Emmy": ["Ada", "Grace"], "Cy": []}
    anonymous = anonymise(workspace, None, "Emmy").name
    assert _former_names(workspace) == {anonymous: [], "Cy": []}
    assert audited(workspace, "forbidden page") == [
        (anonymous, "forbidden page", f"{anonymous}'s and Adam's page")
    ]
    assert audited(workspace, "said") == [("command line", "said", f"{anonymous} was {anonymous}")]


def test_entries_with_unknown_names_are_marked(workspace: Workspace) -> None:
    """They are shown as an earlier version wrote them."""
    row = {"at": "2026", "actor": "command line", "action": "x", "detail": "as Ada said"}
    with write_transaction(workspace.engine) as connection:
        connection.execute(insert(Audit), row)
    (entry,) = audit_entries(workspace)
    assert entry.names_as_written
    assert (entry.detail, entry.text) == ("as Ada said", "as Ada said (names as they were)")


IDS = {"Ada": 1, "Ada L.": 2, "search": 3, "bot": 4}
CAMPAIGNS = ["Pilot", "Pilot: search and answer"]


@pytest.mark.parametrize(
    ("action", "text", "expected"),
    [
        ("user_added", "Ada L. as annotator", ("\ufffc as annotator", [2])),
        (
            "invitation_accepted",
            "search as annotator, invited by Ada",
            ("\ufffc as annotator, invited by \ufffc", [3, 1]),
        ),
        ("user_deactivated", "Ada", ("\ufffc", [1])),
        ("profile_changed", "Ada: nothing → de", ("\ufffc: nothing → de", [1])),
        (
            "pilot_admit",
            "Pilot: search and answer: search: how to search",
            ("Pilot: search and answer: \ufffc: how to search", [3]),
        ),
        (
            "pilot_regraded",
            "Pilot: 2 people Ada, Ada L.",
            ("Pilot: 2 people \ufffc, \ufffc", [1, 2]),
        ),
        (
            "pilot_gold_corrected",
            'Pilot: q1: {"a": "Ada"} → {"a": "x"}; by search, Ada; results changed of: Ada, search',
            (
                'Pilot: q1: {"a": "Ada"} → {"a": "x"}; by search, Ada; results changed of: '
                "\ufffc, \ufffc",
                [1, 3],
            ),
        ),
        (
            "batches_assigned",
            "Pilot: Orion to Ada; Vega to Ada L.",
            ("Pilot: Orion to \ufffc; Vega to \ufffc", [1, 2]),
        ),
        (
            "batch_moved",
            "Pilot: Orion from Ada to search; 3 events kept",
            ("Pilot: Orion from \ufffc to \ufffc; 3 events kept", [1, 3]),
        ),
        (
            "task_given",
            "Pilot: q to Ada to search instead of Ada, batch Orion",
            ("Pilot: q to Ada to \ufffc instead of \ufffc, batch Orion", [3, 1]),
        ),
        ("rate_changed", "Pilot, Ada: none → 18", ("Pilot, \ufffc: none → 18", [1])),
        ("rate_changed", "Pilot: none → 18 EUR", ("Pilot: none → 18 EUR", [])),
        ("run_withdrawn", "Pilot: bot; by Ada", ("Pilot: \ufffc; by Ada", [4])),
        (
            "gold_copied",
            "Pilot: search and answer: 3 tasks",
            ("Pilot: search and answer: 3 tasks", []),
        ),
        ("forbidden page", "as Ada said", None),
        ("forbidden page", "as Adam said", ("as Adam said", [])),
        ("user_added", "Grace as annotator for Ada", None),
        ("export_started", "a \ufffc", None),
    ],
)
def test_earlier_texts_are_read(
    action: str, text: str, expected: tuple[str, list[int]] | None
) -> None:
    """By the pattern of their action; None, as they stay, where a name may mean somebody."""
    assert READER(IDS, CAMPAIGNS).read(action, text) == expected
