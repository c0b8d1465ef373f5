"""What is asked in a state: conditions, offered options and the values that count.

A stored value counts only while its field is asked and its options are offered: a page graded 0
has no modality but "N/A", whatever was chosen before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.protocols.fields import Condition, FieldSpec, Option, Value, token
from pagetrail.annotation.protocols.protocol import Protocol


@dataclass(frozen=True)
class Target:
    """What a field belongs to: the task (all None), a page, or a box.

    A box's target names the page it is on as well, so that conditions on the page can be looked
    up; stored values of a box are keyed by the box alone.
    """

    document: str | None = None
    page: int | None = None
    box: str | None = None

    @property
    def words(self) -> str:
        """The target in words; empty for the task."""
        if self.page is None:
            return ""
        page_name = f"page {self.page} of {self.document}"
        return f"a box on {page_name}" if self.box else page_name


TASK = Target()


@dataclass(frozen=True)
class Form:
    """A protocol's questions over one state.

    Attributes:
        given: the pages that a task gives, in order; None where pages come from searching.
    """

    protocol: Protocol
    state: AttemptState
    given: Sequence[tuple[str, int]] | None = None
    _cache: dict[tuple[str, Target], Value] = field(default_factory=dict, compare=False)
    _condition_cache: dict[tuple[str, tuple[str, ...], Target], bool] = field(
        default_factory=dict, compare=False
    )

    @property
    def ended(self) -> bool:
        """Whether a task field's value says that nothing more is asked."""
        return self.protocol.ends is not None and self.holds(self.protocol.ends, TASK)

    def pages(self) -> list[tuple[str, int]]:
        """The pages that page fields are asked of: the given ones, else the cited ones."""
        if self.given is not None:
            return list(self.given)
        return [(c.document, c.page) for c in self.state.citations]

    def targets(self, spec: FieldSpec) -> list[Target]:
        """Everything that the field is asked of now."""
        match spec.scope:
            case "task":
                targets = [TASK]
            case "page":
                targets = [Target(document, page) for document, page in self.pages()]
            case "box":
                targets = [
                    Target(box.document, box.page, box.id)
                    for box in self.state.boxes.boxes
                    if not box.deleted
                ]
        return [target for target in targets if self.is_asked(spec, target)]

    def target(self, box: str) -> Target:
        """The target of a box."""
        box_state = self.state.boxes.get(box)
        return (
            Target(box=box)
            if box_state is None
            else Target(box_state.document, box_state.page, box)
        )

    def is_asked(self, spec: FieldSpec, target: Target) -> bool:
        """Whether the field is asked of the target now."""
        ends = self.protocol.ends
        if ends is not None:
            names = [f.name for f in self.protocol.fields]
            later = names.index(spec.name) > names.index(ends.field)
            if later and self.ended:
                return False
        return spec.when is None or self.holds(spec.when, target)

    def options(self, spec: FieldSpec, target: Target) -> list[Option]:
        """The options that are offered now."""
        return [o for o in spec.options if o.when is None or self.holds(o.when, target)]

    def may_have_boxes(self, document: str, page: int) -> bool:
        """Whether boxes are allowed on the page by what was said of it."""
        boxes = self.protocol.boxes
        if not boxes.enabled or self.ended:
            return False
        return boxes.when is None or self.holds(boxes.when, Target(document, page))

    def value(self, spec: FieldSpec, target: Target = TASK) -> Value:
        """The value that counts; None where the field is unset or not asked.

        A required field that offers a single option has that value without being set.
        """
        key = (spec.name, target)
        if key not in self._cache:
            self._cache[key] = self._value(spec, target)
        return self._cache[key]

    def _value(self, spec: FieldSpec, target: Target) -> Value:
        if not self.is_asked(spec, target):
            return None
        stored = self.stored(spec, target)
        if not spec.rules.takes_options:
            return stored
        offered_options = [option.value for option in self.options(spec, target)]
        if isinstance(stored, tuple):
            stored = tuple(item for item in stored if item in offered_options) or None
        elif stored not in offered_options:
            stored = None
        if stored is None and spec.required and len(offered_options) == 1:
            return (offered_options[0],) if spec.kind == "multi" else offered_options[0]
        return stored

    def stored(self, spec: FieldSpec, target: Target) -> Value:
        """The value as it was set, whether or not it counts."""
        match spec.scope:
            case "task":
                return self.state.value(spec.name)
            case "page":
                return self.state.value(spec.name, target.document, target.page)
            case "box":
                return self.state.value(spec.name, box=target.box)

    def rows(self, spec: FieldSpec, target: Target = TASK) -> list[RecordRow]:
        """The rows of a table of records, deleted ones included."""
        box = target.box
        page = (None, None) if box else (target.document, target.page)
        return [
            row
            for row in self.state.rows
            if (row.field, row.document, row.page, row.box) == (spec.name, *page, box)
        ]

    def holds(self, condition: Condition, target: Target) -> bool:
        """Whether the condition holds for the target, its page or the task."""
        # Options share a few conditions. Their parts are the key: hashing a model takes longer.
        key = (condition.field, condition.values, target)
        if key not in self._condition_cache:
            self._condition_cache[key] = self._holds(condition, target)
        return self._condition_cache[key]

    def _holds(self, condition: Condition, target: Target) -> bool:
        spec = self.protocol.field(condition.field)
        if spec is None:
            return False
        match spec.scope:
            case "task":
                at = TASK
            case "page":
                at = Target(target.document, target.page)
            case "box":
                at = target
        value = self.value(spec, at)
        if isinstance(value, tuple):
            return any(item in condition.values for item in value)
        return token(value) in condition.values
