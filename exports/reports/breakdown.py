"""What the rows of a breakdown are: fields of tasks, conditions, and attributes of annotators.

docs/metrics.md, Breakdowns. Each task, or attempt, is in exactly one group of a field.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext, lazy_gettext
from pagetrail.annotation.sentences import shortened
from pagetrail.annotation.tasks.task import Hop
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.model import Column, Kind, RowValues
from pagetrail.storage.people.profiles import Profile
from pagetrail.storage.snapshot.rows import TaskRow

FieldValue = str | float | None
"""A task's value of a field; None without one."""

READY_FIELDS: Mapping[str, str] = {
    "domain": N_("Domain"),
    "category": N_("Category"),
    "query_type": N_("Query type"),
    "query_format": N_("Query format"),
    "language": N_("Language"),
    "batch": N_("Batch"),
    "condition": N_("Condition"),
    "document": N_("Document"),
    "hop": N_("Hop type"),
    "modality": N_("Question modality"),
    "difficulty": N_("Difficulty"),
    "split": N_("Split"),
    "gold_pages": N_("Gold pages"),
    "gold_documents": N_("Gold documents"),
    "question_words": N_("Words of the question"),
    "annotator": N_("Annotator"),
    "annotator.group": N_("Annotator's group"),
    "annotator.languages": N_("Annotator's languages"),
    "annotator.skills": N_("Annotator's skills"),
}
"""Fields with a meaning of their own → heading. Every other name is a field of the task record."""

ATTEMPT_FIELDS = (
    "condition",
    "annotator",
    "annotator.group",
    "annotator.languages",
    "annotator.skills",
)
"""Ready fields that depend on who did the task, not on the task."""

NUMBER_FIELDS = ("gold_pages", "gold_documents", "question_words")
"""Ready fields whose values are numbers."""

NO_GROUP, SEVERAL_DOCUMENTS = lazy_gettext("(none)"), lazy_gettext("(several documents)")
MAX_GROUPS = 200
"""Maximum number of groups by a field of the record that is not ready."""
MAX_COLUMNS = 15
"""Maximum number of columns of a cross table; with more, there is only the table of all groups."""
TOO_WIDE = lazy_gettext(
    "No cross table: the second field has more than {n} groups. Name it first.", n=MAX_COLUMNS
)

_RECORD = "record."
"""Prefix of a record's field that has the name of a ready one."""
_SINGLE_NUMBERS = 6
"""Up to so many different numbers each are a group."""
_QUARTILES = (0.25, 0.5, 0.75)
_EDGES: Mapping[str, tuple[float, ...]] = {
    # The classes of ViDoRe V3, figure 7.
    "gold_pages": (1, 2, 3, 4, 5, 10, 20),
    "gold_documents": (1, 2, 3, 4, 5, 10, 20),
}
_HAS_SUBFIELDS = object()

DIFFICULTIES = (lazy_gettext("easy"), lazy_gettext("medium"), lazy_gettext("hard"))
HOP_LABELS: Mapping[Hop, str] = {
    "single": lazy_gettext("single page"),
    "cross_page": lazy_gettext("several pages"),
    "cross_doc": lazy_gettext("several documents"),
}
_ORDERS = {"difficulty": DIFFICULTIES, "hop": tuple(HOP_LABELS.values())}


@dataclass(frozen=True)
class BreakdownField:
    """A field as the caller names it.

    Attributes:
        edges: lower limits of all groups of numbers but the first; empty to choose them by rule.
    """

    name: str
    edges: tuple[float, ...] = ()

    @property
    def heading(self) -> str:
        """The heading of its column."""
        return READY_FIELDS.get(self.name) or self.name.removeprefix(_RECORD)


def breakdown_fields(by: str | Sequence[str] | None) -> tuple[BreakdownField, ...]:
    """The fields in ``by``: one name, two names, or two separated by a comma.

    ``NAME:10:20`` sets the limits of groups of numbers: below 10, from 10, from 20.

    Raises:
        PagetrailError: more than two fields, the same twice, or limits that do not increase (code
            ``invalid_group``).
    """
    listed = [by] if isinstance(by, str) else list(by or ())
    names = [name.strip() for part in listed for name in part.split(",") if name.strip()]
    if len(names) > 2:
        raise _invalid_group(f"A table has two fields at most; these are {len(names)}.")
    fields = tuple(map(_parsed_field, names))
    if len({field.name for field in fields}) < len(fields):
        raise _invalid_group(f"The field {fields[0].name!r} is named twice.")
    return fields


def field_with_limits(name: str, limits: str) -> str:
    """A field as ``breakdown_fields`` takes it, with limits of groups as somebody types them.

    Args:
        limits: numbers separated by commas, semicolons, colons or spaces; may be empty.

    Raises:
        PagetrailError: one is not a number, or they do not increase (code ``invalid_group``).
    """
    listed = re.split(r"[\s,;:]+", limits.strip(" \t,;:"))
    for limit in filter(None, listed):
        try:
            float(limit)
        except ValueError as error:
            raise _invalid_group(
                gettext(
                    "{limit!r} is not a number. Separate the limits of groups with commas: 10, 20.",
                    limit=shortened(limit, 40),
                )
            ) from error
    field = ":".join([name, *filter(None, listed)])
    _parsed_field(field)
    return field


def _parsed_field(text: str) -> BreakdownField:
    name, *limits = text.split(":")
    try:
        edges = tuple(map(float, limits))
    except ValueError:
        return BreakdownField(text)  # a name with a colon
    if not all(map(math.isfinite, edges)) or list(edges) != sorted(set(edges)):
        raise _invalid_group(gettext("The limits in {field!r} do not increase.", field=text))
    return BreakdownField(name, edges)


def _invalid_group(message: str) -> PagetrailError:
    return PagetrailError(message, code="invalid_group")


@dataclass(frozen=True)
class FieldGroups:
    """The groups by one field.

    Attributes:
        field: its name.
        heading: the heading of its column.
        names: group by task or attempt; those without a value are missing.
        order: the groups in order, where they have one of their own.
        notes: how numbers were put into groups.
    """

    field: str
    heading: str
    names: Mapping[str, str]
    order: Sequence[str] = ()
    notes: Sequence[str] = ()

    def group(self, key: str) -> str:
        """The group of a task or an attempt."""
        return self.names.get(key, NO_GROUP)

    def rank(self, name: str) -> tuple[bool, int, str]:
        """Sorts groups: in their order, else by name, those without a value last."""
        is_last = name in (NO_GROUP, SEVERAL_DOCUMENTS)
        position = self.order.index(name) if name in self.order else len(self.order)
        return is_last, position, name


def group_values(
    field: BreakdownField, values: Mapping[str, FieldValue], order: Sequence[str] = ()
) -> FieldGroups:
    """The groups of tasks or attempts by their values.

    Args:
        values: by task or attempt; numbers are put into groups by those of all tasks.
        order: of texts; by name unless given.

    Raises:
        PagetrailError: a field of the record has too many different texts (``invalid_group``).
    """
    present = {key: value for key, value in values.items() if value is not None}
    numbers = [value for value in present.values() if not isinstance(value, str)]
    if numbers and len(numbers) == len(present):
        bins = _number_bins(numbers, field.edges or _EDGES.get(field.name, ()))
        notes = [_binning_note(field, bins)] if bins.is_quartiles else []
        named = {key: bins.name(float(value)) for key, value in present.items()}
        return FieldGroups(field.name, field.heading, named, bins.names, notes)
    texts = {
        key: value if isinstance(value, str) else number_text(value)
        for key, value in present.items()
    }
    if not order:
        order = _ORDERS.get(field.name, ())
    n_different = len(set(texts.values()))
    if field.name not in READY_FIELDS and n_different > MAX_GROUPS:
        raise _invalid_group(
            f"The field {field.name!r} has {n_different:,} different values; a table has "
            f"{MAX_GROUPS} groups at most. Choose a field that groups tasks."
        )
    return FieldGroups(field.name, field.heading, texts, order)


class _Bins(NamedTuple):
    """Groups of numbers: the first number of all groups but the first, and all names."""

    lower_limits: tuple[float, ...]
    names: tuple[str, ...]
    is_quartiles: bool = False

    def name(self, number: float) -> str:
        """The group of a number."""
        return self.names[int(np.searchsorted(self.lower_limits, number, side="right"))]


def _number_bins(numbers: Iterable[float], edges: Sequence[float]) -> _Bins:
    ordered = np.sort(np.array(list(numbers), dtype=np.float64))
    different = np.unique(ordered)
    if edges:
        return _bins_between(edges, is_whole=_all_whole([*different, *edges]))
    if len(different) <= _SINGLE_NUMBERS:
        return _Bins(tuple(different[1:].tolist()), tuple(map(number_text, different.tolist())))
    # Quantiles that are values themselves, so that equal values are in one group.
    upper_limits = np.quantile(ordered, _QUARTILES, method="inverted_cdf")
    starts = np.unique(np.searchsorted(different, upper_limits, side="right"))
    parts = [part for part in np.split(different, starts) if len(part)]
    names = [_range_text(float(part[0]), float(part[-1]), number_text) for part in parts]
    if len(set(names)) < len(names):
        names = [_range_text(float(part[0]), float(part[-1]), repr) for part in parts]
    return _Bins(tuple(float(part[0]) for part in parts[1:]), tuple(names), is_quartiles=True)


def _bins_between(edges: Sequence[float], *, is_whole: bool) -> _Bins:
    names = [f"< {number_text(edges[0])}"]
    for low, high in pairwise(edges):
        names.append(
            _range_text(low, high - 1, number_text)
            if is_whole
            else f"{number_text(low)} – < {number_text(high)}"
        )
    names.append(f"≥ {number_text(edges[-1])}")
    return _Bins(tuple(edges), tuple(names))


def _range_text(low: float, high: float, text: Callable[[float], str]) -> str:
    return text(low) if low == high else f"{text(low)}–{text(high)}"


def _all_whole(numbers: Iterable[float]) -> bool:
    return all(float(number).is_integer() for number in numbers)


def number_text(number: float) -> str:
    """A number as the name of a group: whole numbers in full, others with four digits."""
    return str(int(number)) if float(number).is_integer() else f"{number:.4g}"


def _binning_note(field: BreakdownField, bins: _Bins) -> str:
    return lazy_gettext(
        "“{field}” is a number with many values: {n} groups at the quartiles of the tasks.",
        field=field.heading,
        n=len(bins.names),
    )


def task_values(source: Source, field: BreakdownField) -> dict[str, FieldValue] | None:
    """The values of a campaign's tasks; None if the field is not ready and no task has it.

    Raises:
        PagetrailError: the field holds objects (code ``invalid_group``).
    """
    read = _READERS.get(field.name)
    values: dict[str, FieldValue] = {}
    is_present = read is not None
    for task in source.database.tasks(source.campaign.id):
        if read is not None:
            values[task.key] = read(task)
            continue
        raw = _record_value(task.record, field.name.removeprefix(_RECORD))
        is_present = is_present or raw is not None
        value = _field_value(raw)
        if value is _HAS_SUBFIELDS:
            names = ", ".join(f"{field.name}.{key}" for key in list(raw)[:5])
            raise _invalid_group(
                f"The field {field.name!r} has fields of its own. Choose from {names}."
            )
        values[task.key] = value  # type: ignore[assignment]  # no object is left
    return values if is_present else None


def record_fields(source: Source) -> list[str]:
    """The fields that a campaign's task records have, in alphabetical order."""
    tasks = source.database.tasks(source.campaign.id)
    return sorted({name for task in tasks for name, value in task.record.items() if value})


def unknown_field_error(
    field: BreakdownField, ready: Sequence[str], sources: Sequence[Source]
) -> PagetrailError:
    """The error for a field that no task has; it names the available ones."""
    fields = sorted({name for source in sources for name in record_fields(source)} - set(ready))
    values = {"field": field.name, "ready": ", ".join(ready), "fields": ", ".join(fields)}
    if fields:
        return _invalid_group(
            gettext(
                "There are no groups by {field!r}. Choose from {ready}, or a field of the tasks: "
                "{fields}.",
                **values,
            )
        )
    return _invalid_group(
        gettext("There are no groups by {field!r}. Choose from {ready}.", **values)
    )


def _record_value(record: Mapping[str, Any], path: str) -> Any:
    """The value of a field, or of a field in a field (``source.year``)."""
    if path in record:
        return record[path]
    value: Any = record
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _field_value(value: Any) -> FieldValue | object:
    """The value as a text or a number; a list of objects counts its items."""
    if isinstance(value, bool):
        return lazy_gettext("yes") if value else lazy_gettext("no")
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, str):
        return " ".join(value.split()) or None
    if isinstance(value, Mapping):
        return _HAS_SUBFIELDS if value else None
    if isinstance(value, list):
        if any(isinstance(item, list | Mapping) for item in value):
            return float(len(value))
        texts = {str(item).strip() for item in value if item is not None}
        return " + ".join(sorted(texts - {""})) or None
    return None


def _record_reader(name: str, *others: str) -> Callable[[TaskRow], FieldValue]:
    """Makes a reader of a field of the record, under the first name that has a value."""

    def read(task: TaskRow) -> FieldValue:
        values = (_field_value(task.record.get(key)) for key in (name, *others))
        return next((v for v in values if isinstance(v, str | float)), None)

    return read


def _pages(task: TaskRow) -> list[tuple[str, Any]]:
    references = task.record.get("evidence") or ()
    return list(dict.fromkeys((str(ref["document"]), ref["page"]) for ref in references))


def hop_label(hop: Hop | None) -> str | None:
    """The name of a hop type's group."""
    return None if hop is None else HOP_LABELS[hop]


def _hop(task: TaskRow) -> FieldValue:
    pages = _pages(task)
    if len(pages) < 2:
        return hop_label("single" if pages else None)
    return hop_label("cross_page" if len({name for name, _ in pages}) == 1 else "cross_doc")


def _document(task: TaskRow) -> FieldValue:
    references = [*(task.record.get("candidates") or ()), *(task.record.get("evidence") or ())]
    documents = {str(ref["document"]) for ref in references}
    return SEVERAL_DOCUMENTS if len(documents) > 1 else next(iter(documents), None)


_READERS: Mapping[str, Callable[[TaskRow], FieldValue]] = {
    "domain": _record_reader("domain"),
    "category": _record_reader("document_category"),
    "query_type": _record_reader("query_type"),
    "query_format": _record_reader("query_format"),
    "language": _record_reader("language"),
    "batch": lambda task: task.batch,
    "document": _document,
    "hop": _hop,
    "modality": _record_reader("modality", "modalities"),
    "difficulty": _record_reader("difficulty"),
    "split": _record_reader("split"),
    "gold_pages": lambda task: float(len(_pages(task))) or None,
    "gold_documents": lambda task: float(len({name for name, _ in _pages(task)})) or None,
    "question_words": lambda task: float(len(str(task.record.get("question", "")).split())),
}


def person_value(source: Source, field: BreakdownField) -> Callable[[str], str | None]:
    """Makes a reader of an attribute of a person, by account name."""
    profiles = source.database.profiles()

    def read(user: str) -> str | None:
        if field.name == "annotator":
            return source.name(user)
        profile = profiles.get(user, Profile())
        if field.name == "annotator.group":
            return profile.group or None
        tags = profile.languages if field.name == "annotator.languages" else profile.skills
        return " + ".join(sorted(tags)) or None

    return read


def sort_groups(
    groups: Iterable[tuple[str, ...]], fields: Sequence[FieldGroups]
) -> list[tuple[str, ...]]:
    """Distinct groups, each with a name per field, in the order of the fields."""
    return sorted(
        dict.fromkeys(groups),
        key=lambda group: [field.rank(name) for field, name in zip(fields, group, strict=True)],
    )


def group_columns(fields: Sequence[FieldGroups]) -> list[Column]:
    """A column per field: ``group``, and ``group_2`` of a second."""
    keys = ("group", "group_2")
    return [Column(key, field.heading, "text") for key, field in zip(keys, fields, strict=False)]


def cross_columns(field: FieldGroups, names: Iterable[str], kind: Kind) -> list[Column]:
    """A column of a cross table per group, with a key that names it: ``hop=single page``."""
    return [Column(f"{field.field}={name}", name, kind) for name in names]


def group_cells(group: Sequence[str]) -> RowValues:
    """The values of the columns of ``group_columns``."""
    return dict(zip(("group", "group_2"), group, strict=False))
