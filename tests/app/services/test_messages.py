"""The message catalogue."""

from __future__ import annotations

from pagetrail.annotation.messages import gettext, ngettext
from scripts.extract_messages import POT


def test_the_template_has_messages_of_routes() -> None:
    """``tests/docs/test_generated.py`` checks that it has those of all code."""
    assert b'msgid "The current password is wrong."' in POT.read_bytes()


def test_values_are_named() -> None:
    """Braces of a sentence without values stay, for the browser to fill."""
    assert gettext("Signed in as {role}.", role="admin") == "Signed in as admin."
    assert gettext("larger than {limit} MiB") == "larger than {limit} MiB"


def test_a_number_chooses_the_form() -> None:
    """The number is a value; it can be passed as text in the reader's notation."""
    sentences = ("{number} task", "{number} tasks")
    assert ngettext(*sentences, 1) == "1 task"
    assert ngettext(*sentences, 2) == "2 tasks"
    assert ngettext(*sentences, 1234, number="1,234") == "1,234 tasks"
