"""Names from people are text on every screen: no Markdown element of Streamlit gets one unescaped.

Found by inspection: each text in the messages that a screen sends to the browser is looked at,
whatever element carries it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.message import Message
from sqlalchemy import func, update
from streamlit.testing.v1 import AppTest

from pagetrail.app.server import navigation
from pagetrail.app.services.composition import Services
from pagetrail.exports.run import export
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Batch, Campaign, Document, Task, User
from pagetrail.storage.people.accounts import add_user
from pagetrail.storage.people.system_roles import NOT_PEOPLE
from tests.app.conftest import PASSWORD
from tests.app.review_case import Case, under_review
from tests.app.screens import at_screen
from tests.app.workspace.test_pilot_feedback import pilot

__all__ = ["pilot"]

MARKUP = "**x** :red[y] [a](http://b) $z$"
READ_AS_MARKUP = ("**x**", ":red[", "](http://b)", "$z$")
PLAIN = {
    ("Selectbox", "options"),
    ("Selectbox", "raw_value"),
    ("MultiSelect", "options"),
    ("MultiSelect", "raw_values"),
    ("TextInput", "default"),
    ("TextInput", "value"),
    ("TextArea", "default"),
    ("TextArea", "value"),
    ("Dataframe", "columns"),
    ("Text", "body"),
    ("Code", "code_text"),
    ("BidiComponent", "json"),
}
"""Where the browser shows text as it is: (message, field)."""


IDENTIFIERS = ("id", "element_id", "form_id")


def _texts(message: Message) -> Iterator[tuple[tuple[str, str], str]]:
    """Every text in the message: the message and field it is in, and itself."""
    for field, value in message.ListFields():
        for entry in value if field.is_repeated else [value]:
            if isinstance(entry, Message):
                yield from _texts(entry)
            elif isinstance(entry, str) and field.name not in IDENTIFIERS:
                yield (message.DESCRIPTOR.name, field.name), entry


def _messages(node: Any) -> Iterator[Message]:
    proto = getattr(node, "proto", None)
    if isinstance(proto, Message):
        yield proto
    for child in getattr(node, "children", {}).values():
        yield from _messages(child)


def read_as_markup(at: AppTest) -> set[tuple[tuple[str, str], str]]:
    """Texts with the markup of a name where Markdown is read."""
    return {
        (field, text)
        for message in _messages(at._tree)
        for field, text in _texts(message)
        if field not in PLAIN and any(piece in text for piece in READ_AS_MARKUP)
    }


def walked(at: AppTest) -> set[tuple[tuple[str, str], str]]:
    """What ``read_as_markup`` finds on a screen and after each of its buttons, dialogs included."""
    assert not at.exception
    markup_texts = read_as_markup(at)
    clicked = set(NOT_CLICKED)
    while button := next(
        (b for b in at.button if not b.disabled and (b.key or b.label) not in clicked), None
    ):
        clicked.add(button.key or button.label)
        at = button.click().run()
        assert not at.exception
        markup_texts |= read_as_markup(at)
    return markup_texts


@pytest.fixture
def named_pilot(pilot: Services) -> tuple[Services, Case]:
    """Work of two people under review, in a workspace where everything is named with markup."""
    workspace = pilot.workspace
    case = under_review(pilot)
    add_user(workspace, "root", "admin", PASSWORD)
    with write_transaction(workspace.engine) as connection:
        for cell in (Campaign.name, Batch.code_name, Document.name, User.name,
                     Task.key):  # fmt: skip
            renaming = cell.table.update().values({cell: cell + f" {MARKUP}"})
            if cell is User.name:  # the server finds the accounts of gold by their names
                renaming = renaming.where(User.role.not_in(NOT_PEOPLE))
            connection.execute(renaming)
        required = func.replace(Campaign.protocol, '"Trial"', f'"Trial {MARKUP}"')
        connection.execute(update(Campaign).values(protocol=required))
    export(workspace, f"Otters {MARKUP}", "gold", workspace.exports_dir / "one")
    return pilot, case


def _screen(
    services: Services, name: str, monkeypatch: pytest.MonkeyPatch, view: str, **address: str
) -> AppTest:
    at = at_screen(services, f"{name} {MARKUP}", monkeypatch, view)
    at.query_params.update(address)
    return at.run()


def test_the_screens_of_an_annotator(
    named_pilot: tuple[Services, Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    """My batches, task, guide and account, and the titles in the navigation."""
    services, case = named_pilot
    titles: list[str] = []
    original_navigation = navigation.st.navigation

    def record_titles(pages: Any, **options: Any) -> Any:
        titles.extend(page.title for page in pages)
        return original_navigation(pages, **options)

    monkeypatch.setattr(navigation.st, "navigation", record_titles)
    markup_texts = set()
    for view in ("batches", "guide", "account"):
        markup_texts |= walked(_screen(services, "alma", monkeypatch, view))
    markup_texts |= walked(_screen(services, "alma", monkeypatch, "task", attempt=case.alma))
    assert not markup_texts
    assert titles and not [t for t in titles if any(piece in t for piece in READ_AS_MARKUP)]


SCREENS: dict[str, tuple[str, tuple[str, ...]]] = {
    "progress": ("", ()),
    "review": ("", ()),
    "reviewing": ("", ()),
    "gold": ("", ()),
    "results": ("view", ("Agreement", "Accuracy and effort")),
    "trajectory": ("", ()),
    "pilots": ("view", ("People", "Tasks", "One person")),
    "administration": ("part", ("People", "Batches", "Collection", "Exports", "Campaigns")),
}
"""View → the widget that chooses its part, and the parts."""


def test_the_screens_of_a_supervisor(
    named_pilot: tuple[Services, Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each screen and each part of it, with everything that its buttons open."""
    services, case = named_pilot
    addresses = {
        "reviewing": [{"task": str(case.task)}],
        "trajectory": [
            {},
            {"attempt": case.alma},
            {"attempt": case.alma, "with": case.bruno},
            {"attempt": case.alma, "with": case.other_alma},
        ],
    }
    markup_texts = set()
    for view, (key, choices) in SCREENS.items():
        for address in addresses.get(view, [{}]):
            at = choose_options(_screen(services, "root", monkeypatch, view, **address))
            markup_texts |= {(view, *located_text) for located_text in walked(at)}
        for choice in choices[1:]:
            at = _screen(services, "root", monkeypatch, view)
            at = choose_options(at.button_group(key=key).set_value(choice).run())
            markup_texts |= {(view, *located_text) for located_text in walked(at)}
    assert not markup_texts


def choose_options(at: AppTest) -> AppTest:
    for box, name in CHOICES.items():
        if box in [selectbox.key for selectbox in at.selectbox]:
            at = at.selectbox(key=box).select(f"{name} {MARKUP}").run()
    return at


CHOICES = {"people-who": "bruno", "campaign": "Otters", "campaign-which": "Otters"}
"""What is chosen where a screen asks for it, by the widget's key."""
NOT_CLICKED = {"export", "index-build", "index-check", "ingest", "Sign out"}
"""Buttons that start a job or end the session."""
