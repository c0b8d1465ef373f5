"""The recipe "A field kind" of docs/extending.md: its name, one class, and its registration."""

from __future__ import annotations

from pathlib import Path

from pagetrail.annotation.protocols import fields
from tests.annotation.protocols.edited_kinds import run_toy_kind
from tests.support.function_process import output_of

KIND = '''
class Stars(FieldKind):
    """One to five stars."""

    examples = (1, 5)

    def value_problem(self, spec: FieldSpec, value: Value) -> str | None:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return None if is_number and 1 <= value <= 5 else f"{value} is not one to five stars."

    def rating_scale(self, spec: FieldSpec) -> RatingScale | None:
        return RatingScale({float(n): "★" * n for n in range(1, 6)}, "ordinal", "ordinal")

    def category(self, spec: FieldSpec, value: Value) -> str | float | None:
        return float(value)

    def distance(self, spec: FieldSpec, value: Value, other: Value) -> float:
        return abs(value - other) / 4


class Minutes(Number):
    """A number of minutes, which no other part of the program knows to be a number."""


'''

NAMES, REGISTRY = "Kind = Literal[", "FIELD_KINDS: dict[Kind, FieldKind] = {\n"


def edited_source() -> str:
    """The module of kinds with the toy's name, class and registration."""
    source = Path(fields.__file__).read_text(encoding="utf-8")
    for anchor, edited in (
        (NAMES, f'{NAMES}"stars", "minutes", '),
        (REGISTRY, f'{KIND}{REGISTRY}    "stars": Stars(),\n    "minutes": Minutes(),\n'),
    ):
        assert source.count(anchor) == 1
        source = source.replace(anchor, edited)
    return source


def test_a_field_kind_is_one_class(tmp_path: Path) -> None:
    """Validation, log, replay, ratings, comparison, exports, reference and types have it.

    In a process of its own: the models of protocols are built when they are imported.
    """
    module = tmp_path / "fields.py"
    module.write_text(edited_source(), encoding="utf-8")
    output_of(run_toy_kind, tmp_path, module)


def test_nothing_of_the_toy_kind_stays() -> None:
    """Other tests see the kinds of the product only."""
    assert fields.FIELD_KINDS.keys().isdisjoint({"stars", "minutes"})
