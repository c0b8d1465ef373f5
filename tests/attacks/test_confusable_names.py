"""Nobody gets a name that is mistaken for another's, or that Pagetrail uses for itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from pagetrail.annotation.errors import PagetrailError
from pagetrail.storage.attempts.system_attempts import ensure_system
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user, authenticate
from pagetrail.storage.people.administration import add_account, rename
from pagetrail.storage.people.bulk_accounts import read_lines
from pagetrail.storage.people.confusable_names import skeleton
from pagetrail.storage.people.identities import Identity, add_person
from pagetrail.storage.people.invitations import accept_invitation, invite

PASSWORD = "correct horse"
LIKE_ALMA = ("ALMA", "аlma", "аlmа", "ａlma", "alma\ufe0f", "aIma", "a1ma", "alrna")
RESERVED = (
    "review:gold", "Review: Gold", "system:gpt", "command line",
    "соmmаnd linе", "rеview:gold", "Gold", "review", "SYSTEM",
)  # fmt: skip
FORMULAS = ("=Alma B.", "-Alma B.", "+ Alma B.", "@Alma B.", "＝＠Alma B.")
FREE = ("Alma B.", "alma2", "Ольга", "山田", "José", "gold medallist", "al", "Reviewer Rita")


def invited(workspace: Workspace, name: str) -> object:
    token, _ = invite(workspace, None, "annotator")
    return accept_invitation(workspace, token, name, PASSWORD)


def by_lines(workspace: Workspace, name: str) -> object:
    lines = read_lines(workspace, None, name)
    if lines.bad:
        raise PagetrailError(lines.bad[0].reason)
    return lines


WAYS: dict[str, Callable[[Workspace, str], object]] = {
    "invitation": invited,
    "command": lambda workspace, name: add_user(workspace, name, "annotator", PASSWORD),
    "form": lambda workspace, name: add_account(workspace, None, name, "annotator", PASSWORD),
    "lines": by_lines,
    "single sign-on": lambda workspace, name: add_person(
        workspace, Identity("https://id.example", name), name, "annotator"
    ),
    "rename": lambda workspace, name: rename(workspace, None, "Zoë", name),
    "agent": ensure_system,
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace with alma and Zoë."""
    workspace_with_people = Workspace.create(tmp_path / "ws")
    for name in ("alma", "Zoë"):
        add_user(workspace_with_people, name, "annotator", PASSWORD)
    return workspace_with_people


@pytest.mark.parametrize("way", WAYS)
def test_names_like_another_are_refused_everywhere(workspace: Workspace, way: str) -> None:
    """Also those of other alphabets, widths and invisible signs, and l, I and 1; rn and m."""
    for name in LIKE_ALMA:
        with pytest.raises(PagetrailError, match=r"alma|person's name"):
            WAYS[way](workspace, name)


@pytest.mark.parametrize("way", WAYS)
def test_reserved_names_are_refused_everywhere(workspace: Workspace, way: str) -> None:
    """However they are spelled; the sentence says that they are reserved."""
    for name in RESERVED:
        with pytest.raises(PagetrailError, match="is reserved"):
            WAYS[way](workspace, name)


@pytest.mark.parametrize("way", [way for way in WAYS if way != "agent"])
def test_names_that_begin_a_formula_are_refused_everywhere(workspace: Workspace, way: str) -> None:
    """A spreadsheet would compute them; the sentence suggests the name without the sign."""
    for name in FORMULAS:
        with pytest.raises(PagetrailError, match=r"begins as formulas do.* such as 'Alma B\.'"):
            WAYS[way](workspace, name)


def test_agents_do_not_begin_like_oversight(workspace: Workspace) -> None:
    """Their names come from files: others that begin a formula are guarded where people read."""
    for name in ("@oversight", "＠oversight"):
        with pytest.raises(PagetrailError, match="is reserved"):
            ensure_system(workspace, name)
    assert ensure_system(workspace, "=gpt").name == "=gpt"


def test_other_names_are_free(workspace: Workspace) -> None:
    """Those of other alphabets too, as long as they look like nobody's."""
    for name in FREE:
        assert add_user(workspace, name, "annotator", PASSWORD).name == name
    assert ensure_system(workspace, "openai/gpt-4o: agent").name == "openai/gpt-4o: agent"


def test_accounts_that_exist_keep_working(workspace: Workspace) -> None:
    """Who has such a name from before signs in, and an agent goes on under its own."""
    with write_transaction(workspace.engine) as connection:
        zoe = update(User).where(User.name == "Zoë")
        connection.execute(zoe.values(name="аlma"))
    person = authenticate(workspace, "аlma", PASSWORD)
    assert person is not None and person.name == "аlma"
    with write_transaction(workspace.engine) as connection:
        connection.execute(zoe.where(User.name == "Zoë").values(name="Zoë"))
        connection.execute(
            insert(User).values(
                name="system:old", role="system", pseudonym="system:system:old", active=True,
                created_at="2026-01-01T00:00:00.000000Z",
            )
        )  # fmt: skip
    assert ensure_system(workspace, "system:old").name == "system:old"


@pytest.mark.parametrize(
    ("text", "confusable"), [("paypal", "раураl"), ("scope", "ѕсоре"), ("m", "rn"), ("O0", "0O")]
)
def test_skeletons(text: str, confusable: str) -> None:
    """Examples of UTS #39."""
    assert skeleton(text) == skeleton(confusable)
    assert skeleton(skeleton(text)) == skeleton(text)
    assert skeleton("alma") != skeleton("elma")
