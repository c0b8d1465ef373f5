"""No sentence of a screen or of a typed error is outside the message catalogue."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.check_english import ROOT
from scripts.extract_messages import declared_texts

_DISPLAY = re.compile(
    "title|header|subheader|write|markdown|caption|text|button|error|warning|info|success|toast|"
    "text_input|text_area|number_input|date_input|selectbox|multiselect|radio|checkbox|toggle|"
    "pills|segmented_control|form_submit_button|download_button|link_button|page_link|expander|"
    "popover|tabs|metric|spinner|progress|dialog|file_uploader|Page|[A-Z][a-z]*Column|Column"
)
"""Streamlit's functions that show their first argument."""
_SHOWN_KEYWORDS = frozenset({"label", "help", "placeholder", "title", "body", "text", "captions"})
_ERROR = re.compile(
    r"[A-Z]\w*Error|Busy|(?:Page|Query)Refused|Refusal|Forbidden|BadRequest|SignedOut|TooMany\w+|"
    "TooLong|SignInFailed"
)
_NOT_SHOWN = frozenset({"ValueError", "OSError", "AssertionError", "LookupError", "TypeError"})
"""For programmers, or turned into a typed error."""
_OWN_NAMES = re.compile(r":material/\w+:|:\w+\[|(?:views/)?\w*\.py|[a-z0-9]+(?:[_-][a-z0-9]+)+")
"""Icons, colours, scripts, and examples of identifiers, which no language changes."""

_CATALOGUE = frozenset(
    {"gettext", "ngettext", "lazy_gettext", "lazy_ngettext", "N_", "format_count"}
)
"""Functions whose literal arguments are in the catalogue."""

_REPORT_SENTENCE = re.compile(r"[A-Za-z]{2,}.* |^[A-Z][a-z]+$")
"""Words of a report: two and more, or one that begins like a sentence."""

SCREENS = (
    *("admin", "components", "pilots", "practice", "progress", "reviewing", "replay", "results"),
    *("routes", "server", "services", "ui", "views", "workspace"),
)
DOMAIN = (
    *("annotation/attempts", "annotation/protocols", "annotation/review", "annotation/tasks"),
    *("storage/attempts", "storage/batches", "storage/campaigns", "storage/corpus"),
    *("storage/importers/files", "storage/importers/preannotations", "storage/importers/runs"),
    *("storage/importers/tasks", "storage/ingest", "storage/people", "storage/pilots"),
    *("storage/qualification", "storage/review", "storage/snapshot"),
)
"""Packages whose errors reach screens; others are for operators and the command line."""

ALLOWED = {
    "app/admin/people/dialogs.py: Ada\nBruno,annotator": "an example of what a file holds",
    "storage/attempts/run_originals.py: The original": "read by operators",
}
"""File and beginning of a text that is not in the catalogue, and why."""


def _sources(packages: tuple[str, ...]) -> list[Path]:
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))


def _function_name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _texts(shown: ast.expr) -> Iterator[str]:
    """Literal texts of what is shown, apart from arguments of other functions."""
    match shown:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(part.value for part in parts if isinstance(part, ast.Constant))
            for part in parts:
                if isinstance(part, ast.FormattedValue):
                    yield from _texts(part.value)
        case ast.IfExp(body=body, orelse=otherwise):
            yield from (*_texts(body), *_texts(otherwise))
        case ast.BinOp(left=left, right=right):
            yield from (*_texts(left), *_texts(right))
        case ast.BoolOp(values=values) | ast.List(elts=values) | ast.Tuple(elts=values):
            for value in values:
                yield from _texts(value)
        case ast.Call() if _function_name(shown) == "literal":
            yield from _texts(shown.args[0])


def _shown_arguments(call: ast.Call, *, is_screen: bool) -> list[ast.expr]:
    name = _function_name(call)
    if _ERROR.fullmatch(name) and name not in _NOT_SHOWN:
        return call.args[:1]
    if not is_screen or not _DISPLAY.fullmatch(name) or not isinstance(call.func, ast.Attribute):
        return []
    if "log" in ast.unparse(call.func.value):
        return []
    return [
        *call.args[:1],
        *(keyword.value for keyword in call.keywords if keyword.arg in _SHOWN_KEYWORDS),
    ]


def outside_catalogue(source: str, *, is_screen: bool) -> list[str]:
    """Texts with words that a reader sees and no translator could change."""
    return [
        text
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        for argument in _shown_arguments(node, is_screen=is_screen)
        for text in _texts(argument)
        if re.search(r"[A-Za-z]{2,}", _OWN_NAMES.sub("", text))
    ]


def _not_allowed(path: Path, *, is_screen: bool) -> list[str]:
    name = path.relative_to(ROOT).as_posix()
    return [
        f"{name}: {text[:80]}"
        for text in outside_catalogue(path.read_text(encoding="utf-8"), is_screen=is_screen)
        if not any(f"{name}: {text}".startswith(allowed) for allowed in ALLOWED)
    ]


def test_screens_show_sentences_of_the_catalogue() -> None:
    """Every literal text that Streamlit is given is the argument of ``gettext`` or the like."""
    sources = _sources(tuple(f"app/{package}" for package in SCREENS))
    assert [text for path in sources for text in _not_allowed(path, is_screen=True)] == []


def test_no_call_is_hidden_in_an_f_string() -> None:
    """Babel does not look into them, so that the sentence would not be in the catalogue."""
    hidden = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in _sources(("annotation", "app", "exports", "storage"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        and _function_name(call) in _CATALOGUE
        and isinstance(call.args[0], ast.Constant)
    ]
    assert hidden == []


def test_typed_errors_have_sentences_of_the_catalogue() -> None:
    """Those that can reach a screen."""
    sources = _sources(DOMAIN)
    assert [text for path in sources for text in _not_allowed(path, is_screen=False)] == []


FILES_ONLY = frozenset(
    {"dataset", "render", "inspect_logs.py", "inspect_samples.py", "scores.py", "madqa_report.py"}
    | {"trajectory_tasks.py"}
    | {"scatter.py", "style.py", "drawing.py", "per_task"}
)
"""Parts of ``exports/reports`` whose own sentences are only written, or keys of caches."""

PAPER_CHARTS = frozenset({"retrieval_levels_chart", "bins_chart", "box_chart", "ranked_chart"})
"""Charts that are only in papers, which are English."""

REPORT_DATA = frozenset(
    {
        "MADQA (Borchmann et al. 2026, arXiv 2603.12180)",
        *("hidden gold task", "repeated task", "Judges", "Tasks measured"),
        "ANLS* ≥ 0.5",
        *("Int64", "datum.low != null", "Systems: ….", "It has none yet."),
    }
)
"""A citation, keys of counts and facts, a rule, words of Vega and pandas, a part of an error."""


def report_texts(node: ast.AST) -> Iterator[str]:
    """Literal texts outside the catalogue, apart from docstrings and errors."""
    match node:
        case ast.Call() if _function_name(node) in _CATALOGUE:
            for keyword in node.keywords:
                yield from report_texts(keyword.value)
            return
        case ast.Raise() | ast.Expr(value=ast.Constant()):
            return
        case ast.Call() if _function_name(node) == "option":  # the help of a command's option
            return
        case ast.FunctionDef(name=name) if name in PAPER_CHARTS:
            return
        case ast.JoinedStr(values=parts):
            yield "".join(part.value if isinstance(part, ast.Constant) else "…" for part in parts)
        case ast.Constant(value=str(text)):
            yield text
    if not isinstance(node, ast.JoinedStr):
        for child in ast.iter_child_nodes(node):
            yield from report_texts(child)


def report_sentences(source: str) -> list[str]:
    """Sentences, labels and titles that a screen would show in English."""
    declared = {*declared_texts(source), *REPORT_DATA}
    return [
        text
        for text in report_texts(ast.parse(source))
        if _REPORT_SENTENCE.search(text) and text not in declared
    ]


def test_reports_have_sentences_of_the_catalogue() -> None:
    """Screens translate what a worker process computed, in the language of each reader."""
    sources = [
        path
        for path in _sources(("exports/reports",))
        if not FILES_ONLY & {path.name, path.parent.name}
    ]
    assert len(sources) > 40
    assert {
        path.name: sentences
        for path in sources
        if (sentences := report_sentences(path.read_text(encoding="utf-8")))
    } == {}


@pytest.mark.parametrize(
    "line",
    [
        'notes = ["Pooled takes all units."]',
        'caption = f"{n} tasks are open."',
        'row = {"name": "Pooled"}',
        'axis = alt.X("x:Q", title="Effort")',
        'note = lazy_gettext("{a} of {b}", a=f"the {n} of it", b=2)',
    ],
)
def test_a_literal_sentence_of_a_report_is_found(line: str) -> None:
    """In lists, f-strings, rows, charts, and among the values of a message."""
    assert report_sentences(line)


@pytest.mark.parametrize(
    "line",
    [
        'notes = [lazy_gettext("Pooled takes all units.")]',
        'Column("key", "Label", "text", "What it is.")',
        'key = f"chart-{name}"',
        'raise ValueError("a chart needs points")',
    ],
)
def test_a_report_may_have_keys_declarations_and_errors(line: str) -> None:
    """What the catalogue has, or no reader sees."""
    assert not report_sentences(line)


@pytest.mark.parametrize(
    "line",
    [
        'st.button("Save")',
        'column.metric(gettext("Open"), n, help="Tasks")',
        'st.markdown(f"{n} tasks")',
        'st.caption(literal(f"Saved by {name}"))',
        'st.info(gettext("Yes") if ok else "No answer")',
        'raise NotFoundError(f"There is no campaign {name}.")',
        'st.tabs([gettext("People"), "Tasks"])',
    ],
)
def test_a_literal_sentence_is_found(line: str) -> None:
    """The check itself: literals, f-strings, conditions, lists and keywords."""
    assert outside_catalogue(line, is_screen=True)


@pytest.mark.parametrize(
    "line",
    [
        'st.button(gettext("Save"), icon=":material/save:", key="save")',
        'st.page_link("views/task.py", label=gettext("Open"))',
        'st.markdown(f"**{name}** · {n}")',
        'st.text_input(gettext("Tool"), placeholder="bm25_search")',
        'log.error("%s failed", name)',
        'raise ValueError("not a date")',
    ],
)
def test_what_no_language_changes_is_not(line: str) -> None:
    """Icons, scripts, keys, examples of identifiers, and what programmers read."""
    assert not outside_catalogue(line, is_screen=True)
