"""Finds words that this project does not use, and citations that lead nowhere.

    python -m scripts.check_english [--citations] [PATH ...]

Prints ``file:line: words → suggestion`` and a count; exit code 1 where anything is found. Looked at
are strings, docstrings and comments of Python, JavaScript, CSS and TOML, templates, and the text of
Markdown; what is in backticks is code and passes. ``--citations`` looks at the citations of all
other files as well. docs/glossary.md has the words to use.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import NamedTuple

from scripts.prose import Fragment, fragments

ROOT = Path(__file__).parents[1]

UNITS = (
    "annotator|answer|attempt|batch|box|campaign|cell|class|column|day|document|element|event|"
    "field|file|format|group|hour|image|item|judgement|kind|line|minute|model|option|package|page|"
    "paper|part|participant|person|prediction|question|query|rater|rating|record|row|run|score|"
    "search|second|section|session|side|source|step|subject|system|table|tab|target|task|test|"
    "unit|user|variant|week|word|worker"
)
COUNTABLE_NOUNS = (
    "annotations?|annotators?|answers?|attempts?|bars?|boxes|bytes|cells?|characters|columns?|"
    "commits?|entries|entry|events?|fields?|files?|folders?|hits?|images?|items?|lines?|models?|"
    "modules?|pages?|people|persons?|pixels|points?|processes|process|queries|query|ratings?|"
    "reads?|records?|requests?|results?|rows?|scores?|searches|sentences?|statements?|streams?|"
    "strings?|tables?|tasks?|tests?|texts?|transactions?|units?|values?|verdicts?|words?"
)
_NUMBER = r"(?:one|two|three|a single|several|more|fewer|\d[\d,.]*)"
_DETERMINED = r"(?<!the )(?<!that )(?<!this )(?<!each )(?<!every )(?<!which )(?<!give )(?<!gives )"

RULES: tuple[tuple[str, str], ...] = (
    (r"(?<!by )(?<!at )hand(?:s|ed|ing)?(?: \w+){0,2}[ -]in\b(?! hand)", "submit"),
    (r"anew", "again, re-"),
    (rf"{_NUMBER} (?:\w+ )?(?:{COUNTABLE_NOUNS}) an? (?:{UNITS})", "… per …"),
    (rf"one an? (?:{UNITS})", "one per …"),
    (rf"{_DETERMINED}(?:people|annotators|time|rows?) an? (?:{UNITS})", "… per …"),
    (r"desks?", "My batches; batches"),
    (r"(?:stands|stood|standing|stand)(?! (?:for|out)\b)", "is; status"),
    (r"(?:lies|lie|lay|lying)(?! out\b)", "is"),
    (r"(?:is|are|was|were) there already|there already", "already exists"),
    (r"figures?(?! ?\d)", "result, number; chart"),
    (
        r"(?<!by )(?<!left )(?<!right )(?<!either )(?<!long )(?<!short )(?<!shortest )(?<!longer )"
        r"(?<!longest )(?<!shorter )(?<!client )(?<!server )(?<!-)sides?(?! by side\b)"
        r"(?! of (?:the |a |an |its )?(?:\w+ )?(?:box|image|page|screen|square|window|rectangle))",
        "participant",
    ),
    (r"(?:hold|holds|held|holding)\b[^.;:]{0,40}? against", "compare with, score against"),
    (r"(?:take|takes|took|taken|taking)(?: \w+){0,3} up again", "reopen"),
    (r"(?:take|takes|took|taken|taking)(?: \w+){0,2} back", "withdraw, undo, remove"),
    (r"(?:even|evens|evened|evening)(?: \w+){0,2} out", "rebalance"),
    (r"in force", "current"),
    (r"by the (?:campaign's )?rule", "automatically"),
    (r"begun", "started"),
    (
        r"(?:people|person|annotators?|anybody|everybody|nobody|somebody|who|they|reviewers?) gave",
        "submitted",
    ),
    (r"lack(?:s|ed|ing)?", "is missing, needs"),
    (r"(?-i:pictures?)", "image"),
    (r"(?:nobody|no \w+) (?:is|are) like that", "no … match"),
    (r"who is how far|how (?:far|long)\?", "Progress by annotator; Progress; Time"),
    (r"stands? for (?:itself|themselves)", "self-contained"),
    (r"no page too many", "minimal evidence"),
    (r"(?-i:Own words)", "low word overlap"),
    (r"why it is so", "reason"),
)
"""Pattern, whatever its case, and what to write instead; white space is a single space."""

EXACT = ((r"To do", "Open"),)
"""Labels that are wrong on their own, although their words are right inside a sentence."""


class Allowed(NamedTuple):
    """Words that are allowed in some files.

    Attributes:
        files: pattern of their paths.
        words: pattern of the words, searched in the text that a rule matched.
        reason: why they are allowed.
    """

    files: str
    words: str
    reason: str


ALLOWED: tuple[Allowed, ...] = (
    Allowed("scripts/check_english.py", ".", "the rules name the words"),
    Allowed("scripts/check_names.py", ".", "its list names the words"),
    Allowed("app/demo/*", "pictures?|figures?|lies|stands", "questions and gold are stored data"),
    Allowed("tests/*/test_check_english.py", ".", "the tests name the words"),
    Allowed("tests/annotation/a*/*.py", "[Ff]igures?|stands|lie", "questions are data"),
    Allowed("tests/app/workspace/test_returned_tasks.py", "handed in", "a comment is data"),
    Allowed("tests/e2e/support/*_workspace.py", "[Ff]igures|stand", "questions are data"),
    Allowed("tests/e2e/results/test_report_page.py", "picture", "a CSS class"),
    Allowed("scripts/library_run.py", "figure", "a word of questions, not of ours"),
    *(
        Allowed(path, "[Ff]igures?", "the figures of a paper")
        for path in (
            "CHANGELOG.md",
            "app/cli/main.py",
            "app/cli/reports/report.py",
            "docs/architecture.md",
            "docs/metrics.md",
            "docs/researchers.md",
            "exports/papers/*",
            "tests/app/cli/test_reports.py",
            "tests/exports/papers/*",
        )
    ),
    Allowed("LICENSE", ".", "a quotation"),
    Allowed("annotation/events/review.py", "side", "a stored value"),
    Allowed("annotation/review/selections.py", "side", "a stored value"),
    Allowed("app/*/reviewing/decision/selections.ts", "side", "what the server is sent"),
    Allowed("annotation/progress/summary.py", "begun", "a field in JSON outputs"),
    Allowed("storage/batches/board.py", "begun", "a field in JSON outputs"),
    Allowed("storage/campaigns/lifecycle.py", "begun", "a field in JSON outputs"),
    Allowed("exports/formats/parsebench.py", "handed in", "in manifests, which keep their bytes"),
    Allowed("exports/formats/reviews.py", "handed in|annotators gave", "in manifests likewise"),
    Allowed("exports/gold/page_grades.py", "annotators gave", "in manifests likewise"),
    Allowed(
        "annotation/protocols/presets/*.toml",
        "stands|pictures",
        "stored with campaigns: an import that names the preset compares the two",
    ),
)

CITATIONS = "--citations"
CITED = re.compile(r"(?<![\w/.-])((?:docs/[\w-]+|(?!FILE\b)[A-Z]{2,})\.md)\b(?:, ([A-Z][\w -]*))?")
OUTSIDE = re.compile(r"\bshared/(?:design|cases|papers|hooks|corpora)\b")


class Problem(NamedTuple):
    """A text to change."""

    file: str
    line: int
    words: str
    suggestion: str


def problems(
    path: Path, name: str | None = None, *, citations_only: bool = False
) -> Iterator[Problem]:
    """The problems in a file.

    Args:
        name: its path below the repository; derived from the path by default.
    """
    name = name or path.resolve().relative_to(ROOT).as_posix()
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    allowed = [entry.words for entry in ALLOWED if fnmatch(name, entry.files)]
    for fragment in fragments(path):
        text = " ".join(fragment.text.split())
        matches = _citations(text) if citations_only else (*_words(text), *_citations(text))
        for words, suggestion in matches:
            if not any(re.search(pattern, words) for pattern in allowed):
                yield Problem(name, _line(lines, fragment, words), words, suggestion)


def _words(text: str) -> Iterator[tuple[str, str]]:
    spans: list[tuple[int, int]] = []
    for pattern, suggestion in _patterns():
        for match in pattern.finditer(text):
            start, end = match.span()
            if not any(first <= start and end <= last for first, last in spans):
                spans.append((start, end))
                yield match[0], suggestion
    for label, suggestion in EXACT:
        if text.casefold() == label.casefold():
            yield text, suggestion


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile(rf"\b(?:{rule})(?!\w)", re.IGNORECASE), suggestion)
        for rule, suggestion in RULES
    )


def _citations(text: str) -> Iterator[tuple[str, str]]:
    """Citations of documents that are not in the repository, or of sections that they lack."""
    for match in OUTSIDE.finditer(text):
        yield match[0], "cite what is in the repository, or a paper"
    for match in CITED.finditer(text):
        headings = _headings(match[1])
        if headings is None:
            yield match[0], "no such document; cite docs/ or a paper"
        elif match[2] and not any(match[2].startswith(heading) for heading in headings):
            yield match[0], f"{match[1]} has no such section"


@cache
def _headings(name: str) -> tuple[str, ...] | None:
    """The headings of a document in the repository; None if there is no such document."""
    path = ROOT / name
    if not path.is_file():
        return None
    return tuple(re.findall(r"^#+ (.+?)\s*$", path.read_text(encoding="utf-8"), re.MULTILINE))


def _line(lines: Sequence[str], fragment: Fragment, words: str) -> int:
    """The line of the fragment on which the words begin."""
    for candidate in (words, words.partition(" ")[0]):
        for number in range(fragment.first, min(fragment.last, len(lines)) + 1):
            if candidate in lines[number - 1]:
                return number
    return fragment.first


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files to check: named files and those in named folders, by default all tracked files."""
    for path in paths:
        yield from sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]


def tracked() -> list[Path]:
    """All files of the repository."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()]


def main(arguments: Sequence[str]) -> int:
    """Print what is found in the files named, or in all of the repository.

    With ``--citations``, of the files that are not named only what they cite is looked at.
    """
    paths = [path.resolve() for path in files(Path(a) for a in arguments if a != CITATIONS)]
    citations_only = CITATIONS in arguments
    # Each file is read once, since reading takes longer than looking.
    files_to_check = dict.fromkeys(tracked(), citations_only) if citations_only or not paths else {}
    files_to_check |= dict.fromkeys(paths, False)
    every = (
        problem
        for path, citations_only in files_to_check.items()
        for problem in problems(path, citations_only=citations_only)
    )
    found = list(dict.fromkeys(every))
    for problem in found:
        print(f"{problem.file}:{problem.line}: {problem.words} → {problem.suggestion}")
    if found:
        by_suggestion = Counter(problem.suggestion for problem in found)
        print(f"{len(found)} to change:", ", ".join(f"{n} {s}" for s, n in by_suggestion.items()))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
