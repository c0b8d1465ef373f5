"""Text of files cannot control the terminal, nor end a command because it cannot be printed."""

from __future__ import annotations

import pytest

from pagetrail.app.cli.terminal import print_message, show_table

HOSTILE = "a\x1b[2J\x1b]0;title\x07b\rc\x9b1md\u202ee\ud800f\0"


def test_control_characters_are_printed_as_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    """In messages and tables; line breaks and other scripts stay."""
    print_message(f"{HOSTILE}\nMüller 日本")
    show_table(["reason"], [[HOSTILE], ["Müller 日本"]])
    printed = capsys.readouterr()
    for text in (printed.err, printed.out):
        assert r"a\x1b[2J\x1b]0;title\x07b\rc\x9b1md\u202ee\ud800f\x00" in text
        assert "Müller 日本" in text
        assert not set("\x1b\x07\r\x9b\u202e\ud800\0") & set(text)
