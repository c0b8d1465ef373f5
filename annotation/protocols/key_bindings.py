"""The keys of all screens: declared here once, for the browser, its help, the docs and conflicts.

A binding works where all of its conditions hold. Some depend on the protocol only
(``protocol_conditions``); the browser knows the rest, which change while somebody works.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

from pagetrail.annotation.messages import N_
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.protocols.protocol import Protocol

ProtocolCondition = Literal[
    "answer",
    "asks",
    "bookmarks",
    "boxes",
    "calculator",
    "chart",
    "copies",
    "draws",
    "elements",
    "evidence",
    "finds",
    "gaps",
    "ordered",
    "pause",
    "rows",
    "scratchpad",
    "search",
    "steps",
    "tables",
    "transcript",
    "unboxed",
    "words",
]
"""What holds under a protocol (``protocol_conditions``):

* ``answer``: tasks have an answer.
* ``asks``: a field other than a table of records is asked for.
* ``bookmarks``, ``calculator``, ``scratchpad``: annotators have this aid.
* ``boxes``: pages have boxes; ``unboxed``: they have none.
* ``chart``: a table of records holds the points of a chart.
* ``copies``: selected words can be copied into the answer.
* ``draws``: rectangles can be drawn, for boxes or to insert words of the page into its text.
* ``elements``: boxes of a model are verified.
* ``evidence``: pages can be cited.
* ``finds``: the text of a document can be searched.
* ``gaps``: pages have fields, which can be incomplete.
* ``ordered``: boxes have a reading order.
* ``pause``: the clock can be paused.
* ``rows``: there is a table of records.
* ``search``: the collection can be searched.
* ``steps``: the rows of a table are the steps of an attempt.
* ``tables``: tables of the page are verified.
* ``transcript``: the text of a page is corrected.
* ``words``: the page's words can be selected.
"""

ScreenCondition = Literal[
    "back",
    "beside",
    "changes",
    "drawing",
    "edits",
    "free",
    "given",
    "held",
    "own",
    "page",
    "pans",
    "patches",
    "proposes",
    "results",
    "selected",
    "selecting",
    "settled",
    "undoable",
    "unselected",
]
"""What holds on the screen at the moment:

* ``back``: there is a page to go back to.
* ``beside``: a page is kept next to the open one.
* ``changes``: the submission can be changed; ``edits``: that, or only the time is over.
* ``drawing``: the box tool is chosen; ``pans``: it is not.
* ``given``: the task lists its pages.
* ``held``: the arrow keys move the selected box; ``free``: they do not.
* ``own``: the work is somebody's own, no draft of gold.
* ``page``: a page is open.
* ``patches``: the text of the page has open patches, and the text tool is not chosen.
* ``proposes``: somebody's own boxes have filled fields of the page, to be confirmed.
* ``results``: a list of pages is shown.
* ``selected``: a box is selected; ``unselected``: none is.
* ``selecting``: the text tool is chosen.
* ``undoable``: the last submission, which asked nothing, can still be undone; ``settled``: it
  cannot.
"""

_EXCLUSIVE: tuple[frozenset[str], ...] = (
    frozenset({"boxes", "unboxed"}),
    frozenset({"boxes", "transcript"}),
    frozenset({"elements", "transcript"}),
    frozenset({"rows", "transcript"}),
    frozenset({"steps", "transcript"}),
    frozenset({"patches", "selecting"}),
    frozenset({"drawing", "pans"}),
    frozenset({"held", "free"}),
    frozenset({"held", "unselected"}),
    frozenset({"selected", "unselected"}),
    frozenset({"settled", "undoable"}),
    frozenset({"elements", "proposes"}),
)
"""Conditions of which only one holds at a time."""

MODIFIERS = (N_("Ctrl"), N_("Alt"), N_("Shift"))
"""The modifier keys, in the order in which they are printed."""

KEYCAPS = {
    " ": N_("Space"),
    "-": "−",
    "ArrowDown": "↓",
    "ArrowLeft": "←",
    "ArrowRight": "→",
    "ArrowUp": "↑",
    "Backspace": N_("Backspace"),
    "Delete": N_("Del"),
    "End": N_("End"),
    "Enter": N_("Enter"),
    "Escape": N_("Esc"),
    "Home": N_("Home"),
    "Insert": N_("Insert"),
    "PageDown": N_("Page ↓"),
    "PageUp": N_("Page ↑"),
    "Tab": N_("Tab"),
}
"""What the help prints for keys."""


@dataclass(frozen=True)
class KeyPress:
    """A key and the modifiers held with it.

    Attributes:
        key: as in ``KeyboardEvent.key``, letters in lower case.
        shift: None where it makes no difference.
    """

    key: str
    ctrl: bool = False
    alt: bool = False
    shift: bool | None = None

    @property
    def modifiers(self) -> tuple[str, ...]:
        """The modifier keys as the help prints them."""
        held = (self.ctrl, self.alt, self.shift)
        return tuple(name for name, is_held in zip(MODIFIERS, held, strict=True) if is_held)

    @property
    def keycap(self) -> str:
        """The key without modifiers as the help prints it."""
        has_modifiers = bool(self.modifiers) and len(self.key) == 1
        return KEYCAPS.get(self.key, self.key.upper() if has_modifiers else self.key)

    def overlaps(self, other: KeyPress) -> bool:
        """Whether one press of a key can be both."""
        same_key = (self.key, self.ctrl, self.alt) == (other.key, other.ctrl, other.alt)
        return same_key and {self.shift, other.shift} != {True, False}


@dataclass(frozen=True)
class KeyBinding:
    """Keys that belong together, a row of the help.

    Attributes:
        group: the help's heading.
        label: what they do; empty for further keys of a command, which the help leaves out.
        keys: command by key, as in ``KeyboardEvent.key``, letters in lower case; None for a key
            that its control handles.
        when: conditions, all of which must hold.
        shift: None where it makes no difference.
        keycaps: what the help prints instead of the keys.
    """

    group: str
    label: str
    keys: Mapping[str, str | None]
    when: tuple[ProtocolCondition | ScreenCondition, ...] = ()
    ctrl: bool = False
    alt: bool = False
    shift: bool | None = None
    keycaps: tuple[str, ...] = ()

    def press(self, key: str) -> KeyPress:
        """The press of one of the keys."""
        return KeyPress(key, self.ctrl, self.alt, self.shift)

    @property
    def modifiers(self) -> tuple[str, ...]:
        """The modifier keys as the help prints them."""
        return self.press("").modifiers

    @property
    def printed_keys(self) -> tuple[str, ...]:
        """The keys without modifiers as the help prints them."""
        return self.keycaps or tuple(self.press(key).keycap for key in self.keys)

    def works_with(self, other: KeyBinding) -> bool:
        """Whether both can work at the same time."""
        conditions = {*self.when, *other.when}
        return not any(exclusive <= conditions for exclusive in _EXCLUSIVE)


_SEARCH, _FIELDS, _BOXES = N_("Search"), N_("Fields"), N_("Boxes")
_TEXT = N_("Text of the page")
_TABLE = N_("In a table")
_PAGE, _ANSWER, _TASK, _DECIDING = N_("Page"), N_("Answer"), N_("Task"), N_("Deciding")

_OUTLINING: tuple[ProtocolCondition | ScreenCondition, ...] = (
    "draws",
    "page",
    "drawing",
    "changes",
    "free",
)

WORKSPACE_KEYS = (
    KeyBinding(_SEARCH, N_("Search"), {"/": "focusSearch"}, ("search", "edits")),
    KeyBinding(
        _SEARCH,
        N_("Run the search; again: open the first result"),
        {"Enter": None},
        ("search", "edits"),
    ),
    KeyBinding(
        _TABLE,
        N_("Move; with Shift select, with Ctrl to the edge"),
        dict.fromkeys(("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown")),
        ("tables",),
    ),
    KeyBinding(
        _TABLE,
        N_("Ten rows down, up"),
        dict.fromkeys(("PageDown", "PageUp")),
        ("tables",),
    ),
    KeyBinding(
        _TABLE,
        N_("First, last cell of the row; with Ctrl of the table"),
        dict.fromkeys(("Home", "End")),
        ("tables",),
    ),
    KeyBinding(
        _TABLE,
        N_("Next cell, previous one with Shift; behind the last one, leave the table"),
        {"Tab": None},
        ("tables",),
    ),
    KeyBinding(_TABLE, N_("Find in the table"), {"f": None}, ("tables",), ctrl=True),
    KeyBinding(
        _TABLE,
        N_("Correct the cell; Esc restores its text"),
        dict.fromkeys(("Enter", "F2")),
        ("tables", "edits"),
    ),
    KeyBinding(
        _TABLE,
        N_("Empty the selected cells"),
        dict.fromkeys(("Delete", "Backspace")),
        ("tables", "edits"),
    ),
    KeyBinding(_TABLE, N_("Flag the cell"), {"f": None}, ("tables", "edits")),
    KeyBinding(
        _TABLE,
        N_("Make the selected cells headers, or no longer"),
        {"h": None},
        ("tables", "edits"),
    ),
    KeyBinding(_TABLE, N_("Merge the selected cells"), {"m": None}, ("tables", "edits")),
    KeyBinding(_TABLE, N_("Split the merged cell"), {"s": None}, ("tables", "edits")),
    KeyBinding(
        _TABLE,
        N_("Confirm what a model changed, go to the next change"),
        {"c": None},
        ("tables", "edits"),
    ),
    KeyBinding(
        _PAGE,
        N_("Next, previous result, or page of the task"),
        {"ArrowDown": "nextResult", "ArrowUp": "previousResult"},
        ("results", "free", "pans"),
    ),
    KeyBinding(
        _SEARCH,
        N_("Open the result whose digit is pressed next, 0 for the tenth"),
        {"o": "openResult"},
        ("search", "results"),
    ),
    KeyBinding(
        _FIELDS,
        N_("Next field without a value; digits choose there"),
        {"u": "nextField"},
        ("asks", "edits"),
    ),
    KeyBinding(
        _FIELDS, N_("Next page with something missing"), {"m": "nextUnfinished"}, ("gaps", "given")
    ),
    KeyBinding(_BOXES, N_("Draw boxes, or stop drawing"), {"b": "toolBox"}, ("boxes", "page")),
    KeyBinding(
        _PAGE,
        N_("Select text on the page, or stop selecting"),
        {"t": "toolText"},
        ("words", "page"),
    ),
    KeyBinding(_PAGE, N_("Copy the selected words"), {"c": None}, ("page", "selecting"), ctrl=True),
    KeyBinding(
        _PAGE,
        N_("Copy the selected words into the answer"),
        {"x": "copyToAnswer"},
        ("copies", "page", "selecting", "changes"),
    ),
    KeyBinding(
        _BOXES,
        N_("Accept the selected element, go to the next one to check"),
        {"v": "acceptElement"},
        ("elements", "changes"),
    ),
    KeyBinding(
        _BOXES,
        N_("Next, previous box"),
        {"j": "nextElement", "k": "previousElement"},
        ("boxes", "page"),
    ),
    KeyBinding(
        _BOXES,
        N_("Earlier, later in the reading order"),
        {"ArrowUp": "earlier", "ArrowDown": "later"},
        ("ordered", "page", "selected", "changes"),
        alt=True,
    ),
    KeyBinding(_FIELDS, N_("Next row without a decision"), {"j": "nextRow"}, ("rows", "unboxed")),
    KeyBinding(
        _FIELDS,
        N_("In a row of a chart: split a label, merge two labels"),
        {"s": "splitLabel", "m": "mergeLabels"},
        ("chart", "changes"),
        alt=True,
    ),
    KeyBinding(
        _FIELDS,
        N_("In the value of a point: next number printed on the page; Enter takes it"),
        {"n": "printedNumbers"},
        ("chart", "words", "page", "changes"),
        alt=True,
    ),
    KeyBinding(_FIELDS, N_("Next step"), {"n": "nextStep"}, ("steps", "unboxed"), shift=False),
    KeyBinding(
        _FIELDS, N_("Previous step"), {"n": "previousStep"}, ("steps", "unboxed"), shift=True
    ),
    KeyBinding(_FIELDS, N_("Play the steps, or stop"), {"k": "playSteps"}, ("steps", "unboxed")),
    KeyBinding(
        _BOXES,
        N_("Move the selected box; with Shift by 10"),
        dict.fromkeys(("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"), "nudge"),
        ("boxes", "held"),
    ),
    KeyBinding(
        _BOXES, N_("Next box of the page"), {"Tab": "tabBox"}, ("boxes", "page", "selected")
    ),
    KeyBinding(
        _BOXES,
        N_("Put a box around the outlined text, or on the page"),
        {"Enter": "placeBox"},
        ("boxes", "page", "drawing", "changes", "unselected"),
    ),
    KeyBinding(
        _FIELDS,
        N_("Confirm what the boxes say of the page"),
        {"v": "confirmPage"},
        ("boxes", "page", "changes", "proposes"),
    ),
    KeyBinding(
        _BOXES,
        N_("Let the arrow keys move the selected box"),
        {"Enter": "holdBox"},
        ("boxes", "page", "selected", "changes", "free"),
    ),
    KeyBinding(
        _BOXES,
        N_("Let the arrow keys resize that box, or move it again"),
        {"Enter": "resizeBox"},
        ("boxes", "page", "held", "changes"),
    ),
    KeyBinding(
        _BOXES,
        N_("Outline the next, previous block of text"),
        {"ArrowDown": "nextBlock", "ArrowUp": "previousBlock"},
        _OUTLINING,
        shift=False,
    ),
    KeyBinding(
        _BOXES,
        N_("Outline one block more, fewer"),
        {"ArrowDown": "moreBlocks", "ArrowUp": "fewerBlocks"},
        _OUTLINING,
        shift=True,
    ),
    KeyBinding(
        _BOXES,
        N_("Outline the next, previous word"),
        {".": "nextWord", ",": "previousWord"},
        _OUTLINING,
    ),
    KeyBinding(
        _BOXES,
        N_("Outline one word more, fewer"),
        {"ArrowRight": "moreWords", "ArrowLeft": "fewerWords"},
        _OUTLINING,
        shift=True,
    ),
    KeyBinding(
        _BOXES,
        N_("Delete the selected box"),
        {"Delete": "deleteBox"},
        ("boxes", "page", "selected", "changes"),
    ),
    KeyBinding(_BOXES, "", {"Backspace": "deleteBox"}, ("boxes", "page", "selected", "changes")),
    KeyBinding(
        _BOXES,
        N_("Duplicate the selected box"),
        {"d": "duplicateBox"},
        ("boxes", "page", "selected", "changes"),
        ctrl=True,
    ),
    KeyBinding(_BOXES, N_("Hide or show the boxes"), {"h": "hideBoxes"}, ("boxes", "page")),
    KeyBinding(
        _TEXT,
        N_("Next, previous patch"),
        {"j": "nextPatch", "k": "previousPatch"},
        ("transcript", "patches"),
    ),
    KeyBinding(
        _TEXT,
        N_("Accept the patch, go to the next one"),
        {"v": "acceptPatch"},
        ("transcript", "patches", "changes"),
        shift=False,
    ),
    KeyBinding(
        _TEXT,
        N_("Reject the patch, go to the next one"),
        {"x": "rejectPatch"},
        ("transcript", "patches", "changes"),
    ),
    KeyBinding(
        _TEXT,
        N_("Accept all patches"),
        {"v": "acceptAllPatches"},
        ("transcript", "patches", "changes"),
        shift=True,
    ),
    KeyBinding(
        _TEXT,
        N_("On the page: edit the text; Esc leaves it"),
        {"Enter": "focusTranscript"},
        ("transcript", "page", "pans"),
    ),
    KeyBinding(_TEXT, N_("Source, or rendered view"), {"h": "toggleMarkup"}, ("transcript",)),
    KeyBinding(
        _TEXT,
        N_("Find and replace in the text"),
        {"h": "findInTranscript"},
        ("transcript",),
        ctrl=True,
    ),
    KeyBinding(
        _TEXT,
        N_("Insert words of the page: draw a box around them, or stop drawing"),
        {"b": "drawRegion"},
        ("transcript", "page", "changes"),
    ),
    KeyBinding(
        _TEXT,
        N_("Insert the outlined words"),
        {"Enter": "insertOutlined"},
        ("transcript", "page", "drawing", "changes"),
    ),
    KeyBinding(
        _PAGE,
        N_("Previous, next page"),
        {"ArrowLeft": "previousPage", "ArrowRight": "nextPage"},
        ("page", "free"),
        shift=False,
    ),
    KeyBinding(
        _PAGE,
        N_("Scroll the page down, up with Shift; at its end turn"),
        {" ": "readOn"},
        ("page", "pans"),
    ),
    KeyBinding(_PAGE, N_("The same"), {"PageDown": "readOn", "PageUp": "readOn"}, ("page", "pans")),
    KeyBinding(_PAGE, N_("First, last page"), {"Home": "firstPage", "End": "lastPage"}, ("page",)),
    KeyBinding(_PAGE, N_("Go to a page by number"), {"g": "goToPage"}, ("page",)),
    KeyBinding(_PAGE, N_("Find in this document"), {"f": "find"}, ("finds", "page"), ctrl=True),
    KeyBinding(
        _PAGE,
        N_("Keep this page beside others, or put it away"),
        {"d": "beside"},
        ("page",),
        shift=False,
    ),
    KeyBinding(
        _PAGE, N_("Swap the two pages"), {"d": "swapBeside"}, ("page", "beside"), shift=True
    ),
    KeyBinding(
        _PAGE, N_("Add or remove as citation"), {"c": "cite"}, ("evidence", "page", "edits")
    ),
    KeyBinding(
        _PAGE,
        N_("Bookmark the page for the whole batch, or remove its bookmark"),
        {"y": "bookmark"},
        ("bookmarks", "page", "edits", "own"),
        shift=False,
    ),
    KeyBinding(_PAGE, N_("Zoom in, out"), {"+": "zoomIn", "-": "zoomOut"}, ("page",)),
    KeyBinding(_PAGE, "", {"=": "zoomIn"}, ("page",)),
    KeyBinding(_PAGE, N_("Fit width"), {"w": "fitWidth"}, ("page",)),
    KeyBinding(_PAGE, N_("Fit the whole page"), {"e": "fitPage"}, ("page",)),
    KeyBinding(_PAGE, N_("Turn the view"), {"r": "rotate"}, ("page",)),
    KeyBinding(
        _PAGE,
        N_("Back to the previous place, or forward again"),
        {"l": "lastPlace"},
        ("page", "back"),
        shift=False,
    ),
    KeyBinding(_PAGE, N_("Recent pages"), {"l": "recent"}, ("page",), shift=True),
    KeyBinding(
        _PAGE,
        N_("Show question and results, or make room for the page"),
        {"q": "toggleContext"},
        ("page",),
    ),
    KeyBinding(
        _PAGE, N_("Show the page alone, or the whole screen"), {"z": "toggleReading"}, ("page",)
    ),
    KeyBinding(_ANSWER, N_("Answer"), {"a": "focusAnswer"}, ("answer", "edits")),
    KeyBinding(
        _ANSWER,
        N_("Scratchpad"),
        {"y": "focusScratchpad"},
        ("scratchpad", "edits", "own"),
        shift=True,
    ),
    KeyBinding(
        _ANSWER,
        N_("Calculator"),
        {"k": "focusCalculator"},
        ("calculator", "edits", "own"),
        alt=True,
    ),
    KeyBinding(_ANSWER, N_("Submit"), {"Enter": "submit"}, ("edits",), ctrl=True),
    KeyBinding(_ANSWER, N_("Flag"), {"f": "flag"}, ("edits", "own")),
    KeyBinding(_ANSWER, N_("Skip"), {"s": "skip"}, ("edits", "own")),
    KeyBinding(
        _TASK,
        N_("Previous, next task"),
        {"ArrowLeft": "previousTask", "ArrowRight": "nextTask"},
        ctrl=True,
    ),
    KeyBinding(
        _TASK, N_("Undo the last change"), {"z": "undo"}, ("settled",), ctrl=True, shift=False
    ),
    KeyBinding(_TASK, N_("Redo it"), {"z": "redo"}, ctrl=True, shift=True),
    KeyBinding(_TASK, "", {"y": "redo"}, ctrl=True),
    KeyBinding(
        _TASK,
        N_("Undo the last submission"),
        {"z": "undoSubmit"},
        ("undoable",),
        ctrl=True,
        shift=False,
    ),
    KeyBinding(_TASK, N_("Pause, resume"), {"p": "pause"}, ("pause", "edits", "own")),
    KeyBinding(_TASK, N_("Guidelines"), {"i": "guidelines"}),
    KeyBinding(_TASK, N_("Keys"), {"?": "help"}),
    KeyBinding(_TASK, N_("Leave a field, a box or a tool, close a dialog"), {"Escape": "escape"}),
)
"""Keys that a protocol assigns to options or labels override these. No binding is a digit, since
digits choose options and labels."""

REVIEW_KEYS = (
    KeyBinding(_DECIDING, N_("Next part that differs"), {"n": "nextConflict"}),
    KeyBinding(
        _DECIDING,
        N_("Take that person’s version of the part"),
        {},
        keycaps=("1", "2", "3", "…"),
    ),
    KeyBinding(
        _DECIDING, N_("Take that person’s version of all parts"), {}, keycaps=("1",), shift=True
    ),
    KeyBinding(_DECIDING, N_("Combine the part in the next way"), {"m": "merge"}),
    KeyBinding(_DECIDING, N_("Reset the part to the proposal"), {"u": "asProposed"}),
    KeyBinding(_DECIDING, N_("Write the accepted answers"), {"a": "editAnswer"}),
    KeyBinding(_DECIDING, N_("Show what the dataset says; again: take it"), {"d": "dataset"}),
    KeyBinding(_DECIDING, N_("Write a reason"), {"r": "reason"}),
    KeyBinding(_DECIDING, N_("Accept as gold, or confirm"), {"Enter": "accept"}, ctrl=True),
    KeyBinding(_DECIDING, N_("Undo your last decision"), {"z": "undo"}, ctrl=True),
    KeyBinding(_DECIDING, N_("Keep the draft and edit it in the workspace"), {"e": "edit"}),
    KeyBinding(_DECIDING, N_("Send back to an annotator"), {"b": "sendBack"}),
    KeyBinding(_TASK, N_("Take the task, or put it back"), {"t": "take"}),
    KeyBinding(
        _TASK,
        N_("Previous, next task"),
        {"ArrowLeft": "previousTask", "ArrowRight": "nextTask"},
        ctrl=True,
    ),
    KeyBinding(_TASK, N_("Guidelines"), {"i": "guidelines"}),
    KeyBinding(_TASK, N_("Keys"), {"?": "help"}),
    KeyBinding(
        _PAGE, N_("Previous, next page"), {"ArrowLeft": "previousPage", "ArrowRight": "nextPage"}
    ),
    KeyBinding(_PAGE, N_("Zoom in, out"), {"+": "zoomIn", "-": "zoomOut"}),
    KeyBinding(_PAGE, "", {"=": "zoomIn"}),
    KeyBinding(_PAGE, N_("Page width, or whole page"), {"0": "fit"}),
    KeyBinding(_PAGE, N_("Widen or narrow the page"), {"w": "wide"}),
    KeyBinding(_PAGE, N_("Hide or show the boxes"), {"h": "hideBoxes"}),
    KeyBinding(_TASK, N_("Leave a field, close a dialog"), {"Escape": "escape"}),
)
"""Digits follow a person, which the screen reads from the keyboard's positions."""

_REPLAY = N_("Replay")

REPLAY_KEYS = (
    KeyBinding(_REPLAY, N_("Play, or stop"), {" ": "toggle"}),
    KeyBinding(
        _REPLAY,
        N_("Previous, next event"),
        {"ArrowLeft": "previousEvent", "ArrowRight": "nextEvent"},
    ),
    KeyBinding(_REPLAY, N_("Faster, slower"), {"+": "faster", "-": "slower"}),
    KeyBinding(_REPLAY, "", {"=": "faster"}),
    KeyBinding(_REPLAY, N_("First, last event"), {"Home": "firstEvent", "End": "lastEvent"}),
)

BATCHES_KEYS = (KeyBinding(N_("My batches"), N_("Continue with the next task"), {"n": "continue"}),)

SCREEN_KEYS = {
    "Workspace": WORKSPACE_KEYS,
    "Batches": BATCHES_KEYS,
    "Review": REVIEW_KEYS,
    "Replay": REPLAY_KEYS,
}


def protocol_conditions(protocol: Protocol) -> list[ProtocolCondition]:
    """The conditions that hold under a protocol."""
    boxes, fields, text = protocol.boxes, protocol.fields, protocol.text
    has_answer = protocol.answer.kind != "off"
    conditions: dict[ProtocolCondition, bool] = {
        "answer": has_answer,
        "asks": any(field.kind != "records" for field in fields),
        "bookmarks": protocol.aids.bookmarks,
        "boxes": boxes.enabled,
        "calculator": protocol.aids.calculator,
        "chart": any(field.is_chart for field in fields),
        "copies": text.select and has_answer,
        "draws": boxes.enabled or protocol.transcript.enabled,
        "elements": boxes.enabled and boxes.seed,
        "evidence": protocol.evidence.enabled,
        "finds": text.find,
        "gaps": protocol.pages != "search" and bool(protocol.scoped("page")),
        "ordered": boxes.enabled and boxes.order,
        "pause": protocol.clock.pause,
        "rows": any(field.kind == "records" for field in fields),
        "scratchpad": protocol.aids.scratchpad,
        "search": protocol.search.enabled,
        "steps": any(map(_has_steps, fields)),
        "tables": protocol.tables.enabled,
        "transcript": protocol.transcript.enabled,
        "unboxed": not boxes.enabled,
        "words": boxes.enabled or text.select,
    }
    return [condition for condition, holds in conditions.items() if holds]


def _has_steps(field: FieldSpec) -> bool:
    """Whether the table's rows are the steps of an attempt; as ``stepColumn`` in the browser."""
    has_locked_columns = any(not column.editable for column in field.columns)
    return field.scope == "task" and field.seed == "steps" and has_locked_columns


def workspace_letters(protocol: Protocol) -> dict[str, str]:
    """The labels of the letters that the workspace uses by themselves under a protocol."""
    available = {*get_args(ScreenCondition), *protocol_conditions(protocol)}
    return {
        key: binding.label
        for binding in reversed(WORKSPACE_KEYS)  # the first binding of a letter names it
        if available.issuperset(binding.when) and not (binding.ctrl or binding.alt)
        for key, command in binding.keys.items()
        if command is not None and key.isalpha() and len(key) == 1
    }


def conflicts(bindings: Sequence[KeyBinding]) -> Iterator[tuple[str, KeyBinding, KeyBinding]]:
    """Keys with two bindings that can work at the same time."""
    for left, right in combinations(bindings, 2):
        if not left.works_with(right):
            continue
        for key in left.keys.keys() & right.keys.keys():
            has_commands = left.keys[key] is not None and right.keys[key] is not None
            if has_commands and left.press(key).overlaps(right.press(key)):
                yield key, left, right
