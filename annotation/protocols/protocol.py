"""Protocols as data: a preset switches on parts of the one workspace screen."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pagetrail.annotation.errors import NotFoundError, ProtocolError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.fields import Condition, FieldSpec, Kind, Scope
from pagetrail.annotation.protocols.option_labels import OptionLabels
from pagetrail.annotation.protocols.quality import QualityPart
from pagetrail.annotation.protocols.review_parts import review_parts
from pagetrail.annotation.protocols.sections import (
    AidsPart,
    AnswerPart,
    BoundedName,
    BoxesPart,
    ClockPart,
    EvidencePart,
    Material,
    PilotPart,
    PrefilterPart,
    QuestionPart,
    ReviewPart,
    SearchPart,
    TablesPart,
    TextPart,
    TranscriptPart,
)
from pagetrail.annotation.protocols.study import StudyPart
from pagetrail.annotation.protocols.toml_text import MAX_CHARS, TomlError, read_toml
from pagetrail.annotation.readable_errors import describe

_PRESETS = files("pagetrail.annotation.protocols") / "presets"

_REACHES: dict[Scope, tuple[Scope, ...]] = {
    "task": ("task",),
    "page": ("task", "page"),
    "box": ("task", "page", "box"),
}
# Refusals, the list of what is missing and a pilot's parts are keyed by field name or by these.
RESERVED = frozenset(
    {
        "answer",
        "boxes",
        "checks",
        "clock",
        "evidence",
        "outcome",
        "question",
        "search",
        "skip",
        "submit",
    }
)

_TABLES = (["review", "parts"], ["question", "draw"])
"""Settings that are tables with keys of their own."""


class Protocol(BaseModel):
    """What a campaign asks of its annotators."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(
        min_length=1,
        max_length=60,
        description=N_("the setting's name; part of an attempt's identity"),
    )
    title: str = Field(
        title=N_("Title that annotators see"),
        min_length=1,
        max_length=200,
        description=N_("as shown"),
    )
    pages: Annotated[
        Literal["search", "given", "gold"],
        OptionLabels(
            {
                "search": N_("whatever they search and browse for"),
                "given": N_("the pages that each task lists"),
                "gold": N_("each task’s evidence pages"),
            }
        ),
    ] = Field(
        title=N_("Pages that annotators can open"),
        default="search",
        description=N_(
            "search: whatever search and browsing reach; given: each task's candidate "
            "list; gold: each task's evidence pages"
        ),
    )
    browse: bool = Field(
        title=N_("Whole documents can be read"),
        default=True,
        description=N_("whether whole documents can be read, or only the given pages"),
    )
    batch_size: int = Field(
        title=N_("Tasks per batch"), default=25, ge=1, le=1_000, description=N_("tasks per batch")
    )
    overlap: int = Field(
        title=N_("Annotators per task"),
        default=1,
        ge=1,
        le=1000,
        description=N_("annotators per task"),
    )
    max_pages: int = Field(
        title=N_("Most given pages per task"),
        default=1_000,
        ge=1,
        le=10_000,
        description=N_("given pages per task"),
    )
    direct_submit: bool = Field(
        title=N_("Submit complete tasks without asking again"),
        default=False,
        description=N_(
            "complete tasks are submitted without a question, and can be undone; each "
            "person may choose otherwise"
        ),
    )
    practice: bool = Field(
        title=N_("Offer a practice task"),
        default=True,
        description=N_("annotators are offered the practice task of its preset"),
    )
    variants: Annotated[
        Literal["apart", "together"],
        OptionLabels(
            {
                "apart": N_("in batches of different people"),
                "together": N_("in one batch, one after the other"),
            }
        ),
    ] = Field(
        title=N_("Variants of one question are"),
        default="apart",
        description=N_(
            "apart: nobody gets two variants of one question; together: they are in one batch, "
            "one after the other"
        ),
    )
    own_answers: bool = Field(
        title=N_("People may judge their own answers"),
        default=False,
        description=N_(
            "people may judge predictions that are their own answers; results mark such judgements"
        ),
    )
    ends: Condition | None = Field(
        default=None, description=N_("a task field's value after which nothing more is asked")
    )
    pages_after: tuple[str, ...] = Field(
        default=(), description=N_("task fields to be set before the given pages can be opened")
    )
    requires: BoundedName | None = Field(
        title=N_("Pilot to pass first"),
        default=None,
        description=N_("name of the pilot campaign to pass before taking a batch"),
    )
    search: SearchPart = SearchPart()
    evidence: EvidencePart = EvidencePart()
    answer: AnswerPart = AnswerPart()
    text: TextPart = TextPart()
    boxes: BoxesPart = BoxesPart()
    transcript: TranscriptPart = TranscriptPart()
    tables: TablesPart = TablesPart()
    question: QuestionPart = QuestionPart()
    clock: ClockPart = ClockPart()
    aids: AidsPart = AidsPart()
    prefilter: PrefilterPart = PrefilterPart()
    pilot: PilotPart = PilotPart()
    review: ReviewPart = ReviewPart()
    study: StudyPart = StudyPart()
    quality: QualityPart = QualityPart()
    material: tuple[Material, ...] = ()
    fields: tuple[FieldSpec, ...] = Field(default=(), max_length=100)

    @property
    def shows_predictions(self) -> bool:
        """Whether tasks show a predicted answer, for people to judge."""
        return any(part.source == "prediction" for part in self.material)

    def field(self, name: str) -> FieldSpec | None:
        """The field of that name."""
        return next((field for field in self.fields if field.name == name), None)

    def page_field(self, name: str, kind: Kind) -> FieldSpec | None:
        """The page field of this kind with this name, else the first of this kind."""
        specs = [spec for spec in self.scoped("page") if spec.kind == kind]
        return next((spec for spec in specs if spec.name == name), specs[0] if specs else None)

    def scoped(self, scope: Scope) -> list[FieldSpec]:
        """The fields that are asked of a task, a page or a box."""
        return [field for field in self.fields if field.scope == scope]

    @model_validator(mode="after")
    def _consistent(self) -> Protocol:
        problem = next(problems(self), None)
        if problem is not None:
            raise ValueError(str(problem))
        return self


class Contradiction(NamedTuple):
    """Two settings that contradict each other.

    Attributes:
        key: path of one of them, such as ``fields.0.when``.
    """

    key: str
    problem: str

    def __str__(self) -> str:
        return f"{self.key}: {self.problem}"


def problems(protocol: Protocol) -> Iterator[Contradiction]:
    """Everything that contradicts itself."""
    names = [field.name for field in protocol.fields]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield Contradiction("fields", f"the name {name!r} is there twice")
    for name in sorted(RESERVED & set(names)):
        yield Contradiction("fields", f"{name!r} names a part of the screen; choose another name")
    for index, field in enumerate(protocol.fields):
        yield from _condition(protocol, field.when, field.scope, f"fields.{index}.when", field)
        for at, option in enumerate(field.options):
            key = f"fields.{index}.options.{at}.when"
            yield from _condition(protocol, option.when, field.scope, key, field)
        if field.scope == "box" and not protocol.boxes.enabled:
            yield Contradiction(
                f"fields.{index}", f"{field.name!r} is asked of boxes, and boxes are off"
            )
    yield from _condition(protocol, protocol.boxes.when, "page", "boxes.when", None)
    yield from _condition(protocol, protocol.ends, "task", "ends", None)
    yield from _task_fields(protocol, protocol.pages_after, "pages_after")
    for index, material in enumerate(protocol.material):
        yield from _task_fields(protocol, material.after, f"material.{index}.after")
    if protocol.pages_after and protocol.pages == "search":
        yield Contradiction("pages_after", 'needs pages = "given" or "gold"')
    if protocol.prefilter.cut is not None and protocol.pages != "given":
        yield Contradiction("prefilter.cut", 'needs pages = "given"')
    if protocol.boxes.seed and not protocol.boxes.enabled:
        yield Contradiction("boxes.seed", "boxes are off")
    if protocol.boxes.fill and not protocol.boxes.content:
        yield Contradiction("boxes.fill", "needs boxes.content")
    if protocol.boxes.check_all and not protocol.boxes.seed:
        yield Contradiction("boxes.check_all", "needs boxes.seed")
    if protocol.transcript.enabled:
        if protocol.pages != "given":
            yield Contradiction("transcript", 'needs pages = "given"')
        if protocol.boxes.enabled or any(spec.kind == "records" for spec in protocol.fields):
            yield Contradiction("transcript", "boxes and tables need a campaign of their own")
        if "transcript" in names:
            yield Contradiction(
                "fields", "'transcript' names a part of the screen; choose another name"
            )
    if protocol.tables.enabled:
        if protocol.pages != "given":
            yield Contradiction("tables", 'needs pages = "given"')
        if "tables" in names:
            yield Contradiction(
                "fields", "'tables' names a part of the screen; choose another name"
            )
    if protocol.question.blocking and not protocol.question.checks:
        yield Contradiction("question.blocking", "needs question.checks")
    if protocol.question.checks and protocol.question.kind != "editable":
        yield Contradiction("question.checks", 'needs question.kind = "editable"')
    if protocol.question.prefilled and protocol.question.kind != "editable":
        yield Contradiction("question.prefilled", 'needs question.kind = "editable"')
    yield from _drawn_fields(protocol)
    known_parts = review_parts(protocol)
    for part in protocol.review.parts:
        if part not in known_parts:
            yield Contradiction(
                "review.parts", f"there is no part {part!r}; parts: {', '.join(known_parts)}"
            )
    if protocol.requires is not None and protocol.pilot.enabled:
        yield Contradiction("requires", "a pilot cannot require another pilot")
    if protocol.study.hides_elements and not protocol.boxes.add:
        yield Contradiction("study.conditions", "boxes.seed off needs boxes.add")
    if protocol.quality.rate and (protocol.pilot.enabled or protocol.question.kind == "editable"):
        yield Contradiction(
            "quality", "there are no checks in pilots, nor where questions are written"
        )


def _condition(
    protocol: Protocol, condition: Condition | None, scope: Scope, key: str, asker: FieldSpec | None
) -> Iterator[Contradiction]:
    if condition is None:
        return
    field = protocol.field(condition.field)
    before = protocol.fields if asker is None else protocol.fields[: protocol.fields.index(asker)]
    reach = [f for f in before if f.scope in _REACHES[scope]]
    field_names = ", ".join(f.name for f in reach) or "none"
    if field is None or field not in reach:
        # Only earlier fields, so that conditions cannot go round in circles.
        missing = f"there is no earlier field {condition.field!r} in reach"
        yield Contradiction(key, f"{missing}; fields: {field_names}")
        return
    if field.rules.takes_options:
        allowed = [option.value for option in field.options]
    elif field.kind == "boolean":
        allowed = ["true", "false"]
    else:
        yield Contradiction(
            key, f"{condition.field!r} is a {field.kind} field; conditions look at choices"
        )
        return
    allowed_values = ", ".join(allowed)
    for value in (value for value in condition.values if value not in allowed):
        yield Contradiction(
            key, f"{condition.field!r} has no value {value!r}; allowed values: {allowed_values}"
        )


def _task_fields(protocol: Protocol, names: tuple[str, ...], key: str) -> Iterator[Contradiction]:
    task_fields = [field.name for field in protocol.scoped("task")]
    listed = ", ".join(task_fields) or "none"
    for name in (name for name in names if name not in task_fields):
        yield Contradiction(key, f"there is no task field {name!r}; task fields: {listed}")


def _drawn_fields(protocol: Protocol) -> Iterator[Contradiction]:
    if protocol.question.draw and protocol.question.kind != "editable":
        yield Contradiction("question.draw", 'needs question.kind = "editable"')
    for name, weights in protocol.question.draw.items():
        field = protocol.field(name)
        if field is None or field.kind != "choice" or field.scope != "task":
            yield Contradiction(
                f"question.draw.{name}", f"there is no task field {name!r} of one option"
            )
            continue
        for value in weights:
            if field.option(value) is None:
                allowed = ", ".join(option.value for option in field.options)
                yield Contradiction(
                    f"question.draw.{name}", f"no option {value!r}; options: {allowed}"
                )


def preset_names() -> list[str]:
    """The presets that come with the product."""
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in _PRESETS.iterdir()
        if entry.name.endswith(".toml")
    )


@cache
def preset(name: str) -> Protocol:
    """The preset of that name.

    Raises:
        NotFoundError: there is none; the message lists those that exist.
    """
    if name not in preset_names():
        names = ", ".join(preset_names())
        raise NotFoundError(
            gettext(
                "There is no protocol preset {name!r}. Presets: {names}.", name=name, names=names
            )
        )
    return parse((_PRESETS / f"{name}.toml").read_text(encoding="utf-8"), source=f"{name}.toml")


@cache
def guidelines_names() -> tuple[str, ...]:
    """The presets, and ``_pilot`` and ``_practice``, whose pages are added to theirs."""
    return tuple(
        sorted(
            entry.name.removesuffix(".md")
            for entry in _PRESETS.iterdir()
            if entry.name.endswith(".md")
        )
    )


@cache
def guidelines(name: str) -> str:
    """The preset's guidelines in Markdown; empty when it has none."""
    page = _PRESETS / f"{name}.md"
    return page.read_text(encoding="utf-8") if page.is_file() else ""


def campaign_guidelines(protocol: Protocol) -> str:
    """The guidelines that a campaign gets by default: its preset's, and what to know of a pilot."""
    pages = [guidelines(protocol.name), guidelines("_pilot") if protocol.pilot.enabled else ""]
    return "\n".join(filter(None, pages))


def load(path: Path) -> Protocol:
    """The protocol in a TOML file of one's own.

    Raises:
        ProtocolError: unreadable, not TOML, or not a protocol; names the file and the key.
    """
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MAX_CHARS + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise ProtocolError(
            gettext("{path} cannot be read: {error}", path=path, error=error)
        ) from error
    return parse(text, source=str(path))


def parse(text: str, *, source: str) -> Protocol:
    """The protocol in a TOML text; ``source`` names it in errors."""
    try:
        return Protocol.model_validate(read_toml(text))
    except TomlError as error:
        location = source if error.line is None else f"{source}:{error.line}"
        raise ProtocolError(f"{location}: {error}") from error
    except ValidationError as error:
        raise ProtocolError(f"{source}: {describe(error)}") from error


def with_overrides(base: Protocol, changes: dict[str, Any]) -> Protocol:
    """``base`` with some keys changed; a dotted key reaches into a part (``search.top_k``).

    Fields, labels and options are reached by their names: ``fields.relevance.required``.

    Raises:
        ProtocolError: a key that does not exist or a value that is not allowed.
    """
    data = base.model_dump()
    for key, value in changes.items():
        *parents, leaf = key.split(".")
        node: Any = data
        for parent in parents:
            node = _child(node, parent)
        if parents in _TABLES:  # its keys come and go
            node.pop(leaf, None)
            node |= {} if value is None else {leaf: value}
            continue
        if not isinstance(node, dict) or leaf not in node:
            raise ProtocolError(
                gettext("The protocol {base} has no setting {key!r}.", base=base.name, key=key)
            )
        node[leaf] = value
    try:
        return Protocol.model_validate(data)
    except ValidationError as error:
        raise ProtocolError(
            gettext("Protocol {base}: {problem}", base=base.name, problem=describe(error))
        ) from error


def _child(node: Any, key: str) -> Any:
    """The part of that name; in a list, the entry whose name or value it is."""
    if isinstance(node, dict):
        return node.get(key)
    entries = node if isinstance(node, list | tuple) else ()
    return next(
        (entry for entry in entries if key in (entry.get("name"), entry.get("value"))), None
    )
