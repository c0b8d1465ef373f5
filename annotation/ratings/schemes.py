"""What is rated under a protocol, and how ratings are read from a submission.

* a field of which a value is rated as a whole: on the scale of its kind.
* several options: one nominal yes-or-no table an option. Left blank where it is asked and may be
  left blank, it means that no option was chosen. An option that is not offered is not rated, and
  neither is a required field's only one, which nobody chose.
* records: each column with a closed list, rated on the rows that a model gave, which all share.
* elements that a model gave: the verdict on each (accepted, corrected, deleted) and, where it was
  not deleted, its label. An element that nobody judged is not rated. What somebody drew is nobody
  else's, so it is compared as a zone and rates nothing.
* where there is an answer: the outcome (answered, not found, unanswerable) of a task that was not
  ended before.

Where a task was ended (a poor query), nothing of its pages, boxes and rows is rated. Where people
write questions of their own, nothing is: no two of them rate the same thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

from pagetrail.annotation.agreement import Level, Weights
from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.protocols.fields import Column, FieldSpec, Kind, RatingScale
from pagetrail.annotation.protocols.protocol import Protocol

Category = str | float

RatedKind = Kind | Literal["outcome", "verdict", "label", "column"]
"""The field's kind, or for what is no field: the outcome of a task, the verdict on a model's
element and its label, a column of a model's table."""

RatedScope = Literal["task", "page", "box", "row"]

YES, NO = "yes", "no"
VERDICTS = {"accepted": "Accepted", "corrected": "Corrected", "deleted": "Deleted"}
OUTCOMES = {"answered": "Answered", "not_found": "Not found", "unanswerable": "Unanswerable"}

OUTCOME, ELEMENT_VERDICT, ELEMENT_LABEL = "task-outcome", "element-verdict", "element-label"
"""Keys of the tables that are of no field."""


class RatedPosition(NamedTuple):
    """Where in a task something was rated: nowhere in particular, a page, a box or a row."""

    document: str | None = None
    page: int | None = None
    item: str | None = None


@dataclass(frozen=True)
class Scheme:
    """What one rating table is about, as the protocol declares it.

    Attributes:
        key: unique in the protocol: ``field``, ``field:option``, ``field.column``, or with a hyphen
            in it, which a field's name cannot have, what is no field.
        label: as shown.
        categories: all that could be chosen; codes of an ordinal field, else the stored values.
            Empty for numbers, which have no declared list.
        category_labels: as shown, in the same order.
        level: of Krippendorff's alpha.
        weights: of the other coefficients.
        field: name of the field; None for what is no field.
        option, field_label: of a field of several options: the labels of the one that the table is
            about, and of the field.
    """

    key: str
    label: str
    scope: RatedScope
    kind: RatedKind
    categories: tuple[Category, ...]
    category_labels: tuple[str, ...]
    level: Level = "nominal"
    weights: Weights = "identity"
    field: str | None = None
    option: str | None = None
    field_label: str | None = None

    @property
    def is_numeric(self) -> bool:
        """Whether ratings are numbers, for which no list of categories is declared."""
        return not self.categories


Rating = tuple[str, RatedPosition, Category]
"""(key of the scheme, place in the task, category)."""


@dataclass(frozen=True)
class Reader:
    """Some schemes, and what of a person's work on one task rates in them."""

    schemes: tuple[Scheme, ...]
    read: Callable[[Submission], Iterator[Rating]]


def readers(protocol: Protocol) -> list[Reader]:
    """Everything that is rated under the protocol, in its order; first the fields."""
    if protocol.question.kind == "editable":
        return []
    field_readers = [reader for spec in protocol.fields for reader in _field_readers(spec)]
    if protocol.boxes.seed:
        field_readers.append(_of_elements(protocol))
    outcomes = outcomes_of(protocol)
    if len(outcomes) > 1:
        labels = tuple(OUTCOMES[outcome] for outcome in outcomes)
        scheme = Scheme(OUTCOME, "Outcome", "task", "outcome", outcomes, labels)
        field_readers.append(Reader((scheme,), _outcome))
    return field_readers


def outcomes_of(protocol: Protocol) -> tuple[str, ...]:
    """The outcomes that an answered question can have; none where no answer is asked for."""
    if protocol.answer.kind == "off":
        return ()
    allowed = {"answered": True, "not_found": protocol.answer.not_found}
    allowed["unanswerable"] = protocol.answer.unanswerable
    return tuple(outcome for outcome in OUTCOMES if allowed[outcome])


def _field_readers(spec: FieldSpec) -> list[Reader]:
    """A value as a whole, each of several options, or the columns with a closed list."""
    scale = spec.rules.rating_scale(spec)
    if scale is not None:
        return [Reader((_value_scheme(spec, scale),), partial(_value_rating, spec))]
    if spec.options:
        return [Reader(tuple(_options(spec).values()), partial(_option_ratings, spec))]
    return [
        Reader((_column_scheme(spec, column),), partial(_ratings_of_column, spec, column))
        for column in spec.columns
        if column.kind == "choice" and spec.seed is not None
    ]


def _value_scheme(spec: FieldSpec, scale: RatingScale) -> Scheme:
    return Scheme(
        key=spec.name,
        label=spec.label,
        scope=spec.scope,
        kind=spec.kind,
        categories=tuple(scale.categories),
        category_labels=tuple(scale.categories.values()),
        level=scale.level,
        weights=scale.weights,
        field=spec.name,
    )


def _options(spec: FieldSpec) -> dict[str, Scheme]:
    return {
        option.value: Scheme(
            key=f"{spec.name}:{option.value}",
            label=f"{spec.label}: {option.label}",
            scope=spec.scope,
            kind="multi",
            categories=(YES, NO),
            category_labels=("Yes", "No"),
            field=spec.name,
            option=option.label,
            field_label=spec.label,
        )
        for option in spec.options
    }


def _column_scheme(spec: FieldSpec, column: Column) -> Scheme:
    return Scheme(
        key=f"{spec.name}.{column.name}",
        label=f"{spec.label}: {column.label}",
        scope="row",
        kind="column",
        categories=column.options,
        category_labels=column.options,
        field=spec.name,
    )


def _of_elements(protocol: Protocol) -> Reader:
    labels = tuple(label.name for label in protocol.boxes.labels)
    verdict = Scheme(
        ELEMENT_VERDICT,
        "Verdict on the model's elements",
        "box",
        "verdict",
        tuple(VERDICTS),
        tuple(VERDICTS.values()),
    )
    label = Scheme(ELEMENT_LABEL, "Label of the elements kept", "box", "label", labels, labels)
    return Reader((verdict, label), _elements)


def _targets(spec: FieldSpec, submission: Submission) -> Iterator[tuple[Target, RatedPosition]]:
    """Where the field is asked and others can be asked the same."""
    given_ids = {box.id for box in submission.boxes if box.model is not None}
    for target in submission.targets(spec):
        if target.box is None or target.box in given_ids:
            yield target, RatedPosition(target.document, target.page, target.box)


def _value_rating(spec: FieldSpec, submission: Submission) -> Iterator[Rating]:
    for target, position in _targets(spec, submission):
        value = submission.value(spec, target)
        if value is not None:
            category = spec.rules.category(spec, value)
            if category is not None:
                yield spec.name, position, category


def _option_ratings(spec: FieldSpec, submission: Submission) -> Iterator[Rating]:
    # Options mostly share a condition or two, and asking is most of the work.
    conditions = list({option.when for option in spec.options if option.when is not None})
    for target, position in _targets(spec, submission):
        holding = {
            condition for condition in conditions if submission.form.holds(condition, target)
        }
        offered_options = [o.value for o in spec.options if o.when is None or o.when in holding]
        value = submission.value(spec, target)
        if spec.required and (len(offered_options) == 1 or value is None):
            continue
        chosen_options = value if isinstance(value, tuple) else ()
        for option in offered_options:
            yield f"{spec.name}:{option}", position, YES if option in chosen_options else NO


def _ratings_of_column(spec: FieldSpec, column: Column, submission: Submission) -> Iterator[Rating]:
    for target, row in submission.rows(spec):
        cell = row.values.get(column.name, "")
        if row.model is not None and cell:
            position = RatedPosition(target.document, target.page, row.row)
            yield f"{spec.name}.{column.name}", position, cell


def _elements(submission: Submission) -> Iterator[Rating]:
    if submission.form.ended:
        return
    for box in submission.form.state.boxes.boxes:
        if box.model is None or box.verdict == "open":
            continue
        position = RatedPosition(box.document, box.page, box.id)
        yield ELEMENT_VERDICT, position, box.verdict
        if not box.deleted and box.label is not None:
            yield ELEMENT_LABEL, position, box.label


def _outcome(submission: Submission) -> Iterator[Rating]:
    outcome = submission.outcome
    if outcome is not None and outcome != "completed":
        yield OUTCOME, RatedPosition(), outcome
