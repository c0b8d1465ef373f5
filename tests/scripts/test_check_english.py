"""The check of words and citations finds what this project does not use, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.check_english import main, problems

WRONG = {
    "The task was handed in.": "submit",
    "Hand it in again.": "submit",
    "The index is built anew.": "again, re-",
    "Written as one row a task.": "… per …",
    "How many people a task?": "… per …",
    "Findings, one a check or one a page.": "one per …",
    "Batches on people's desks": "My batches; batches",
    "What stands in the box": "is; status",
    "The file lies in a folder.": "is",
    "The campaign is there already.": "already exists",
    "All figures of a report": "result, number; chart",
    "How far the sides differ": "participant",
    "It is held in part against the gold.": "compare with, score against",
    "Take this task up again.": "reopen",
    "The batch was taken back.": "withdraw, undo, remove",
    "Even the batches out.": "rebalance",
    "The guidelines in force": "current",
    "Accepted by the campaign's rule.": "automatically",
    "Work that was begun": "started",
    "What people gave for it": "submitted",
    "The row lacks an id.": "is missing, needs",
    "Draw the picture of a page.": "image",
    "No task is like that.": "no … match",
    "How far?": "Progress by annotator; Progress; Time",
    "To do": "Open",
}
RIGHT = (
    "Drawn by hand in the browser",
    "Compared five times a second, one after another",
    "Two people are shown side by side on the left side.",
    "An empty cell stands for a missing rating, as in Figure 6 and figure 7.",
    "The row a task came from, and the box a person drew",
    "What is to do is said in the guidelines.",
    "The reason is `handed_in`, and ``no figures`` is code.",
    "The class Picture",
    "handed_in",
    "figures",
)


def problems_in(folder: Path, name: str, text: str) -> list[tuple[int, str]]:
    """(line, suggestion) of each problem in a file of that name."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return [(problem.line, problem.suggestion) for problem in problems(path, name)]


@pytest.mark.parametrize("text", WRONG)
def test_discouraged_words_are_found(tmp_path: Path, text: str) -> None:
    """Each is found once, with what to write instead."""
    assert problems_in(tmp_path, "page.md", f"{text}\n") == [(1, WRONG[text])]


@pytest.mark.parametrize("text", RIGHT)
def test_other_uses_pass(tmp_path: Path, text: str) -> None:
    """Idioms, names and code look alike and are right."""
    assert problems_in(tmp_path, "module.py", f'"""{text}"""\n') == []


def test_strings_docstrings_and_comments_of_python(tmp_path: Path) -> None:
    """On the right line, in strings over several lines and with values filled in."""
    source = '''"""A module.

Nothing is handed
in twice.
"""
# What lies here, built
# anew.
desk = "desk"  # what stands in it
LABEL = f"{desk} rows a task"
LONG = (
    "It is fine, "
    "but begun."
)
'''
    lines = sorted(line for line, _ in problems_in(tmp_path, "module.py", source))
    assert lines == [3, 6, 7, 8, 9, 12]


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.js", '// built anew\nconst a = "the task was begun", b = /a desk/;\n', [1, 2]),
        ("a.js", "const s = `${n} rows a task`;\nconst desk = {desk: 'desk'};\n", [1]),
        ("a.css", "/* what\n * stands here */\n.desk { color: red }\n", [2]),
        ("a.toml", '# begun\nhelp = "what lies on a page"\nfigures = 1\n', [1, 2]),
        ("a.md", "Fine.\n\n```\nanew\n```\n\n| a | begun |\n[anew](anew.md)\n", [7, 8]),
        ("a.html.j2", "<p class='a desk'>{{ 'anew' }} begun</p>\n", [1]),
        ("a.bin", "begun anew\n", []),
    ],
)
def test_other_files(tmp_path: Path, name: str, text: str, lines: list[int]) -> None:
    """What people read in them is checked, what is code is not."""
    assert sorted(line for line, _ in problems_in(tmp_path, name, text)) == lines


def test_citations_must_lead_somewhere(tmp_path: Path) -> None:
    """A document and its section must be in the repository."""
    good = '"""See docs/metrics.md, Agreement and Boxes; docs/formats.md and README.md."""\n'
    assert problems_in(tmp_path, "module.py", good) == []
    bad = (
        '"""See METRICS.md."""\n'
        '"""See docs/nowhere.md."""\n'
        '"""See docs/metrics.md, Astrology."""\n'
        '"""Needs ../shared/corpora."""\n'
    )
    assert [line for line, _ in problems_in(tmp_path, "module.py", bad)] == [1, 2, 3, 4]


def test_files_and_folders_can_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Prints file, line, words and suggestion, and a count; the exit code tells."""
    monkeypatch.setattr("scripts.check_english.ROOT", tmp_path)
    (tmp_path / "good.md").write_text("All is well.\n", encoding="utf-8")
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""
    (tmp_path / "bad.md").write_text("\nBuilt anew.\n", encoding="utf-8")
    monkeypatch.setattr("scripts.check_english.tracked", lambda: [tmp_path / "bad.md"])
    assert main(["--citations", str(tmp_path / "good.md")]) == 0, "of others, citations alone"
    assert main([str(tmp_path / "bad.md"), str(tmp_path)]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed == ["bad.md:2: anew → again, re-", "1 to change: 1 again, re-"]
    (tmp_path / "bad.md").write_text("See docs/gone.md.\n", encoding="utf-8")
    assert main(["--citations", str(tmp_path / "good.md")]) == 1
