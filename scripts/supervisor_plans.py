"""Plans for ``scripts.supervisor_run``: one campaign per preset, with three people who disagree.

A task differs in one way, or in several. It says what everybody does, which choices resolve it, and
the gold that has to come of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

PEOPLE = ("ada", "bo", "cleo")
DOCUMENT = "rivers.pdf"
PAGES = 3
SIZE = (420, 560)
Deed = tuple[dict[str, Any], ...]
"""Events of one person's work, in order: their types and payloads."""


@dataclass(frozen=True)
class Planted:
    """A task with planted disagreements.

    Attributes:
        differs: the kind of disagreement, in words.
        record: of the task, without id and question.
        events_by_person: of each of ``PEOPLE``.
        choices: part → key; ``*`` stands for the whole task, and ``m`` is pressed until the way of
            merging is ``way``. None are needed where the proposal is right.
        gold: what has to come of it, of the contents that ``supervisor_run.content`` gives.
    """

    differs: str
    events_by_person: tuple[Deed, Deed, Deed]
    gold: dict[str, Any]
    choices: dict[str, str] = field(default_factory=dict)
    way: str = ""
    typed: str = ""
    record: dict[str, Any] = field(default_factory=dict)


def at(page: int) -> dict[str, Any]:
    """That page of the document."""
    return {"document": DOCUMENT, "page": page}


def cite(*pages: int) -> Deed:
    """Cite these pages."""
    return tuple({"type": "citation_added", **at(page)} for page in pages)


def answer(text: str) -> Deed:
    """Write the answer."""
    return ({"type": "answer_edited", "text": text},)


def fields(page: int | None = None, **values: Any) -> Deed:
    """Fill in fields of the task or of a page."""
    target = {} if page is None else at(page)
    return tuple(
        {"type": "field_set", "field": name, "value": value, **target}
        for name, value in values.items()
    )


def row(name: str, number: int, **values: str) -> Deed:
    """Fill in a row of a table."""
    return ({"type": "row_set", "field": name, "row": f"r{number}", "values": values},)


def box(rect: tuple[float, ...], label: str, page: int = 1) -> Deed:
    """Draw a box."""
    payload = {"box": f"b{page}{rect[0]:.0f}", "rect": list(rect), "label": label}
    return ({"type": "box_drawn", **payload, **at(page)},)


def events(*parts: Deed, outcome: str = "answered") -> Deed:
    """The parts in order, followed by the submission."""
    return (*(event for part in parts for event in part), {"type": "submitted", "outcome": outcome})


def citing(text: str, *pages: int) -> Deed:
    """An answer with its pages."""
    return events(cite(*pages), answer(text))


_LONG = "Sir Aldous Fenhallow"
_NOT_FOUND = events(outcome="not_found")
_FLAGGED: Deed = ({"type": "flagged", "comment": "The page can hardly be read."},)
_SEARCHES = (
    Planted("answers", (citing("42", 1), citing("forty", 1), citing("57", 1)),
            {"answers": ["42"], "pages": [1]}, {"answer": "1"}),
    Planted("pages", (citing("42", 1), citing("42", 1, 2), citing("42", 2, 3)),
            {"answers": ["42"], "pages": [1, 2, 3]}, {"evidence": "m"}, way="union"),
    Planted("pages, one of them alone", (citing("42", 1), citing("42", 1, 2), citing("42", 1, 3)),
            {"answers": ["42"], "pages": [1]}),
    Planted("answer and pages, one is right", (citing("57", 2), citing("42", 1), citing("17", 3)),
            {"answers": ["42"], "pages": [1]}, {"*": "Shift+2"}),
    Planted("answer and pages, two are right", (citing("42", 2), citing("57", 3), citing("17", 1)),
            {"answers": ["42"], "pages": [1]}, {"answer": "1", "evidence": "3"}),
    Planted("answers and pages, one has all",
            (citing("57", 2), citing("42", 1, 3), citing("17", 2)),
            {"answers": ["42"], "pages": [1, 3]}, {"answer": "2"}),
    Planted("spelling", (citing(_LONG, 1), citing("Fenhallow", 1), citing("A. Fenhallow", 1)),
            {"answers": sorted([_LONG, "Fenhallow", "A. Fenhallow"]), "pages": [1]},
            {"answer": "m"}, way="variants"),
    Planted("nobody is right", (citing("41", 1), citing("43", 1), citing("44", 1)),
            {"answers": ["42"], "pages": [1]}, {"answer": "a"}, typed="42"),
    Planted("one found nothing", (citing("42", 1), _NOT_FOUND, citing("42", 1)),
            {"answers": ["42"], "pages": [1], "outcome": "answered"}),
    Planted("a flag", (events(cite(1), answer("42"), _FLAGGED), citing("42", 1), citing("42", 1)),
            {"answers": ["42"], "pages": [1]}),
)  # fmt: skip

_CANDIDATES = {"candidates": [at(1), at(2)]}


def _graded(first: str, modality: str = "text", rect: tuple[float, ...] = (40, 60, 240, 160),
            text: str = "42") -> Deed:  # fmt: skip
    label = modality.capitalize()
    return events(
        fields(query_quality="good"),
        fields(1, relevance=first, modalities=[modality]),
        box(rect, label),
        fields(2, relevance="0"),
        answer(text),
    )


_BOX = (40, 60, 240, 160)
_RELEVANCE = (
    Planted("grades", (_graded("2"), _graded("1"), _graded("1")),
            {"fields": {("relevance", 1): "2", ("relevance", 2): "0"}}, {"relevance": "1"},
            record=_CANDIDATES),
    Planted("modalities", (_graded("2", "table"), _graded("2"), _graded("2", "chart")),
            {"fields": {("modalities", 1): ("table",), ("relevance", 1): "2"},
             "boxes": [(1, "Table", _BOX)]}, {"modalities": "1"},
            record=_CANDIDATES),
    Planted("boxes", (_graded("2", rect=(220, 300, 380, 420)), _graded("2"),
                      _graded("2", rect=(10, 400, 200, 500))),
            {"boxes": [(1, "Text", _BOX)]}, {"boxes": "2"}, record=_CANDIDATES),
    Planted("answers", (_graded("2", text="57"), _graded("2"), _graded("2", text="17")),
            {"answers": ["42"]}, {"answer": "2"}, record=_CANDIDATES),
    Planted("quality", (events(fields(query_quality="poor"), outcome="completed"), _graded("2"),
                        _graded("2")), {"fields": {("query_quality", None): "good"}},
            record=_CANDIDATES),
)  # fmt: skip

_RECTS = ((40, 40, 380, 90), (40, 120, 380, 170))
_ELEMENTS = {
    "candidates": [at(1)],
    "elements": [
        {"id": f"p{number}", "rect": list(rect), "label": "Text", "content": f"line {number}",
         "order": number, **at(1)}
        for number, rect in enumerate(_RECTS, start=1)
    ],
}  # fmt: skip


def _checked(*edits: dict[str, Any]) -> Deed:
    edited = {edit["box"] for edit in edits}
    accepted = [{"type": "box_accepted", "box": f"e{n}"} for n in (1, 2) if f"e{n}" not in edited]
    return events(edits, tuple(accepted), outcome="completed")


def _label(label: str) -> dict[str, Any]:
    return {"type": "box_labelled", "box": "e1", "label": label}


_MOVED = (40.0, 50.0, 380.0, 100.0)
_VERIFIED = (
    Planted("labels", (_checked(_label("Table")), _checked(), _checked(_label("Picture"))),
            {"boxes": [(1, "Table", _RECTS[0]), (1, "Text", _RECTS[1])]}, {"boxes": "1"},
            record=_ELEMENTS),
    Planted("places",
            (_checked(), _checked({"type": "box_moved", "box": "e1", "rect": list(_MOVED)}),
             _checked({"type": "box_moved", "box": "e1", "rect": [40, 230, 380, 280]})),
            {"boxes": [(1, "Text", _MOVED), (1, "Text", _RECTS[1])]}, {"boxes": "2"},
            record=_ELEMENTS),
    Planted("one is too many",
            (_checked(), _checked({"type": "box_deleted", "box": "e1"}), _checked(_label("Table"))),
            {"boxes": [(1, "Text", _RECTS[1])]}, {"boxes": "2"}, record=_ELEMENTS),
)  # fmt: skip

_POINTS = {
    "candidates": [at(1)],
    "data_points": [
        {"labels": ["Saale", "spring"], "value": 42, "tolerance": 1},
        {"labels": ["Saale", "autumn"], "value": 57, "tolerance": 1},
    ],
}


def _read(second: str = "", readable: str = "yes") -> Deed:
    corrected = {"value": second, "verdict": "corrected"} if second else {"verdict": "right"}
    return events(
        row("data_points", 1, verdict="right"),
        row("data_points", 2, **corrected),
        fields(readable=readable),
        outcome="completed",
    )


_CHARTS = (
    Planted("values", (_read("75"), _read(), _read("56")),
            {"rows": [{"value": "42", "verdict": "right"},
                      {"value": "75", "verdict": "corrected"}]},
            {"data_points": "1"}, record=_POINTS),
    Planted("readable", (_read(), _read(readable="partly"), _read(readable="no")),
            {"fields": {("readable", None): "partly"}}, {"readable": "2"}, record=_POINTS),
    Planted("both", (_read("75", "no"), _read(), _read("56", "partly")),
            {"fields": {("readable", None): "no"},
             "rows": [{"value": "42"}, {"value": "75", "verdict": "corrected"}]},
            {"*": "Shift+1"}, record=_POINTS),
)  # fmt: skip

_PATCHES = {
    "candidates": [at(1)],
    "patches": [{"old": "p1ace", "new": "place"}, {"old": "counties", "new": "cities"}],
}


def _patched(first: str, second: str) -> Deed:
    rows = (row("patches", 1, decision=first), row("patches", 2, decision=second))
    return events(*rows, outcome="completed")


_TRANSCRIPTS = (
    Planted("one patch", (_patched("approve", "reject"), _patched("approve", "approve"),
                          _patched("approve", "approve")),
            {"rows": [{"decision": "approve"}, {"decision": "reject"}]}, {"patches": "1"},
            record=_PATCHES),
    Planted("all patches", (_patched("approve", "reject"), _patched("reject", "approve"),
                            _patched("reject", "reject")),
            {"rows": [{"decision": "approve"}, {"decision": "reject"}]}, {"patches": "1"},
            record=_PATCHES),
)  # fmt: skip

_PAIR = {"response": "42 otters live there.", "evidence": [at(1), at(2)]}


def _reviewed(*, single: str = "yes", complete: str = "yes", second: str = "required") -> Deed:
    return events(
        fields(self_contained=single, human_like="yes"),
        fields(1, source_required="required"),
        fields(2, source_required=second),
        fields(question_factual="yes", response_factual="yes", complete=complete),
        outcome="completed",
    )


_PAIRS = (
    Planted("one field", (_reviewed(complete="no"), _reviewed(), _reviewed()),
            {"fields": {("complete", None): "no"}}, {"complete": "1"}, record=_PAIR),
    Planted("two fields", (_reviewed(single="no"), _reviewed(complete="no"), _reviewed()),
            {"fields": {("self_contained", None): "no", ("complete", None): "no"}},
            {"self_contained": "1", "complete": "2"}, record=_PAIR),
    Planted("a page", (_reviewed(second="not_required"), _reviewed(), _reviewed()),
            {"fields": {("source_required", 2): "not_required"}}, {"source_required": "1"},
            record=_PAIR),
)  # fmt: skip


def _write(question: str, hop: str = "single", page: int = 1, text: str = "42") -> Deed:
    question_events: Deed = ({"type": "question_edited", "text": question},)
    return events(question_events, cite(page), answer(text), fields(hop=hop))


_AUTHORS = (
    Planted("questions", (_write("How many otters were counted in the Saale?"),
                          _write("What did the survey of the Unstrut find?", "bridging", 2, "17"),
                          _write("Which animals live along both banks?", "common", 3, "Herons")),
            {"question": "How many otters were counted in the Saale?", "answers": ["42"],
             "pages": [1], "fields": {("hop", None): "single"}}, {"*": "Shift+1"},
            record={"summary": "Otters in rivers."}),
)  # fmt: skip

_GUESS = {
    "answer_variants": [["42"]],
    "evidence": [at(1)],
    "prediction": {"system": "reader", "answer": ["42 or 43"]},
}


def _judge(verdict: str, issue: str = "") -> Deed:
    return events(
        fields(verdict=verdict), fields(issue=issue) if issue else (), outcome="completed"
    )


_JUDGED_RECORD = (
    Planted("verdicts", (_judge("correct"), _judge("partial", "verbosity"),
                         _judge("incorrect", "wrong_content")),
            {"fields": {("verdict", None): "incorrect", ("issue", None): "wrong_content"}},
            {"*": "Shift+3"}, record=_GUESS),
    Planted("issues", (_judge("partial", "verbosity"), _judge("partial", "list_format"),
                       _judge("partial", "missing_unit")),
            {"fields": {("verdict", None): "partial", ("issue", None): "list_format"}},
            {"issue": "2"}, record=_GUESS),
)  # fmt: skip

_STEPS = {
    **_GUESS,
    "candidates": [at(1)],
    "steps": [{"what": "Searched for otters"}, {"what": "Opened page 3"}],
}


def _followed(mark: str, category: str = "retrieval") -> Deed:
    return events(
        row("steps", 1, mark="useful"),
        row("steps", 2, mark=mark),
        fields(verdict="partial"),
        fields(category=category),
        outcome="completed",
    )


_TRAJECTORIES = (
    Planted("marks", (_followed("wrong"), _followed("useful"), _followed("wasted")),
            {"rows": [{"mark": "useful"}, {"mark": "wrong"}]}, {"steps": "1"}, record=_STEPS),
    Planted("kinds of failure", (_followed("wrong"), _followed("wrong", category="navigation"),
                                 _followed("wrong", category="comprehension")),
            {"fields": {("category", None): "navigation"}}, {"category": "2"}, record=_STEPS),
)  # fmt: skip

_TEXT = "# Otters\n\nForty-two 0tters live in the Saale.\n\nSeventeen live in the Unstrvt.\n"
_RIGHT_TEXT = _TEXT.replace("0tters", "otters").replace("Unstrvt", "Unstrut")
_MISREAD = {"candidates": [at(1)], "transcript": _TEXT, "model": "scribe"}


def _corrected(*replaced: tuple[str, str]) -> Deed:
    """These words of the text corrected."""
    edits = [
        {"at": _TEXT.index(old), "removed": old, "inserted": new}
        for old, new in sorted(replaced, key=lambda pair: _TEXT.index(pair[0]))
    ]
    typed: Deed = ({"type": "text_edited", **at(1), "edits": edits, "source": "typing"},)
    return events(typed if edits else (), outcome="completed")


_OTTERS, _UNSTRUT = ("0tters", "otters"), ("Unstrvt", "Unstrut")
_TEXTS = (
    Planted("errors that two left",
            (_corrected(_OTTERS), _corrected(_OTTERS, _UNSTRUT), _corrected(_UNSTRUT)),
            {"transcript": _RIGHT_TEXT}, {"transcript": "2"}, record=_MISREAD),
    Planted("a wrong correction",
            (_corrected(_OTTERS, ("Unstrvt", "Unstrat")), _corrected(),
             _corrected(_OTTERS, _UNSTRUT)),
            {"transcript": _RIGHT_TEXT}, {"transcript": "3"}, record=_MISREAD),
)  # fmt: skip

_MISREAD_TABLE = {
    "candidates": [at(1)],
    "tables": [
        {
            "id": "t1",
            "html": "<table><tr><th>River</th><th>Otters</th></tr>"
            "<tr><td>Saale</td><td>4Z</td></tr><tr><td>Unstrut</td><td>17</td></tr></table>",
        }
    ],
}


def _verified(*texts: tuple[int, int, str, str], complete: str = "yes") -> Deed:
    """Cells given other texts (row, column, before, after), and both questions answered."""
    table = {**at(1), "table": "t1", "structure": 0}
    changes = tuple(
        {
            "type": "table_edited",
            **table,
            "change": {"kind": "text", "row": r, "column": c, "was": was, "text": text},
        }
        for r, c, was, text in texts
    )
    return events(changes, fields(complete=complete, records="yes"), outcome="completed")


_SAALE, _HERONS = (1, 1, "4Z", "42"), (0, 1, "Otters", "Herons")
_ROWS = ["River | Otters", "Saale | 42", "Unstrut | 17"]
_TABLES = (
    Planted("a cell that two misread", (_verified(_SAALE), _verified((1, 1, "4Z", "47")),
                                        _verified()),
            {"tables": _ROWS}, {"tables": "1"}, record=_MISREAD_TABLE),
    Planted("a right cell that was changed",
            (_verified(_SAALE, _HERONS), _verified(_HERONS), _verified(_SAALE)),
            {"tables": _ROWS}, {"tables": "3"}, record=_MISREAD_TABLE),
    Planted("a missing table",
            (_verified(_SAALE), _verified(_SAALE, complete="no"), _verified(_SAALE)),
            {"tables": _ROWS, "fields": {("complete", None): "no"}}, {"complete": "2"},
            record=_MISREAD_TABLE),
)  # fmt: skip


def _question(question: str, **answers: Any) -> Deed:
    """A question, and answers to fields."""
    written: Deed = ({"type": "question_edited", "text": question},)
    return events(written, fields(**answers), outcome="completed")


_BLIND = (
    Planted("questions",
            (_question("How many otters were counted in the Saale?", query_type="numerical"),
             _question("Why did the otters return to the Unstrut?", query_type="open-ended"),
             _question("Which rivers have otters?", query_type="enumerative")),
            {"question": "Why did the otters return to the Unstrut?",
             "fields": {("query_type", None): "open-ended"}}, {"*": "Shift+2"},
            record={"summary": "Otters in rivers."}),
    Planted("types",
            (_question("How many otters live there?", query_type="extractive"),
             _question("How many otters live there?", query_type="numerical"),
             _question("How many otters live there?", query_type="open-ended")),
            {"question": "How many otters live there?",
             "fields": {("query_type", None): "numerical"}}, {"query_type": "2"},
            record={"summary": "Otters in rivers."}),
)  # fmt: skip

_TRANSLATION = {
    "original": "How many otters were counted in the Saale?",
    "variant_of": "otters",
    "variant": "translation",
    "language": "de",
}


def _reworded(question: str, same: str = "yes") -> Deed:
    return _question(question, same_answer=same, natural="yes")


_GERMAN = "Wie viele Otter wurden an der Saale gezählt?"
_VARIANTS = (
    Planted("wordings",
            (_reworded("Wie viele Otter gibt es?"), _reworded("Wie viel Otter sind in der Saale?"),
             _reworded(_GERMAN)),
            {"question": _GERMAN}, {"question": "3"}, record=_TRANSLATION),
    Planted("whether the answer is the same",
            (_reworded(_GERMAN), _reworded(_GERMAN, same="no"), _reworded(_GERMAN)),
            {"question": _GERMAN, "fields": {("same_answer", None): "no"}}, {"same_answer": "2"},
            record={**_TRANSLATION, "variant_of": "rivers"}),
)  # fmt: skip

CAMPAIGNS: dict[str, tuple[Planted, ...]] = {
    "search": _SEARCHES,
    "oracle": tuple(
        Planted(task.differs, task.events_by_person, task.gold, task.choices, task.way, task.typed,
                {"evidence": [at(number) for number in (1, 2, 3)]})
        for task in _SEARCHES
    ),
    "relevance": _RELEVANCE,
    "verify": _VERIFIED,
    "verify_chart": _CHARTS,
    "verify_transcript": _TRANSCRIPTS,
    "qa_review": _PAIRS,
    "author": _AUTHORS,
    "judge": _JUDGED_RECORD,
    "trajectory": _TRAJECTORIES,
    "transcribe": _TEXTS,
    "verify_table": _TABLES,
    "author_blind": _BLIND,
    "variants": _VARIANTS,
}  # fmt: skip
