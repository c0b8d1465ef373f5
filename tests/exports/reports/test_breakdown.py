"""Fields of breakdowns: how they are named, and which group a value is in."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.exports.reports.breakdown import (
    BreakdownField,
    breakdown_fields,
    field_with_limits,
    group_values,
    task_values,
)
from tests.exports.reports.agreement.people import People


def names(values: list[Any], field: str = "year", edges: tuple[float, ...] = ()) -> list[str]:
    """The group of each value."""
    groups = group_values(
        BreakdownField(field, edges), dict(zip(map(str, range(99)), values, strict=False))
    )
    return [groups.group(str(number)) for number in range(len(values))]


@pytest.mark.parametrize(
    ("by", "fields"),
    [
        (None, ()),
        ("domain", (BreakdownField("domain"),)),
        ("a, b", (BreakdownField("a"), BreakdownField("b"))),
        (["a", "b"], (BreakdownField("a"), BreakdownField("b"))),
        ("year:2010:2020", (BreakdownField("year", (2010, 2020)),)),
        ("dc:title", (BreakdownField("dc:title"),)),
    ],
)
def test_fields_are_read(by: Any, fields: tuple[BreakdownField, ...]) -> None:
    """One or two names; limits follow colons, and other colons belong to the name."""
    assert breakdown_fields(by) == fields


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("a,b,c", "two fields at most; these are 3"),
        (["a", "a:1"], "named twice"),
        ("a:2:1", "do not increase"),
        ("a:nan", "do not increase"),
    ],
)
def test_wrong_fields_are_refused(by: Any, message: str) -> None:
    """With the code of an unknown field."""
    with pytest.raises(PagetrailError, match=message) as refused:
        breakdown_fields(by)
    assert refused.value.code == "invalid_group"


@pytest.mark.parametrize(
    ("limits", "field"),
    [
        ("", "year"),
        ("2010, 2020", "year:2010:2020"),
        (" 2010;2020.5 ", "year:2010:2020.5"),
        ("2010:2020,", "year:2010:2020"),
    ],
)
def test_limits_as_somebody_types_them(limits: str, field: str) -> None:
    """Any of the usual separators."""
    assert field_with_limits("year", limits) == field


@pytest.mark.parametrize(
    ("limits", "message"),
    [("ten", "'ten' is not a number"), ("2, 1", "do not increase"), ("nan", "do not increase")],
)
def test_wrong_limits_are_refused(limits: str, message: str) -> None:
    """The sentence has what is wrong."""
    with pytest.raises(PagetrailError, match=message) as refused:
        field_with_limits("year", limits)
    assert refused.value.code == "invalid_group"


def test_few_numbers_are_groups_of_their_own() -> None:
    """Up to six, in numerical order; a task without a value is in none."""
    groups = group_values(BreakdownField("year"), {"a": 10.0, "b": 9.0, "c": 10.0, "d": None})
    assert groups.order == ("9", "10")
    assert [groups.group(key) for key in "abcd"] == ["10", "9", "10", "(none)"]
    assert groups.notes == []


def test_many_numbers_are_in_quartiles() -> None:
    """Equal values stay together, and groups are named after their lowest and highest value."""
    assert names([1, 2, 3, 4, 5, 6, 7, 8]) == ["1–2"] * 2 + ["3–4"] * 2 + ["5–6"] * 2 + ["7–8"] * 2
    skewed = [1] * 6 + [2, 3, 4, 5, 6, 7]
    assert names(skewed) == ["1"] * 6 + ["2–4"] * 3 + ["5–7"] * 3
    thirds = [1 / 3 + number / 1e9 for number in range(8)]
    assert len(set(names(thirds))) == 4, "names that four digits do not tell apart have all"


def test_limits_may_be_given() -> None:
    """Whole numbers are named by both ends; others by the next limit."""
    assert names([1, 9, 10, 19, 20], edges=(10, 20)) == ["< 10", "< 10", "10–19", "10–19", "≥ 20"]
    assert names([0.1, 0.5, 0.9], edges=(0.1, 0.9)) == ["0.1 – < 0.9", "0.1 – < 0.9", "≥ 0.9"]
    assert names([1, 2, 5, 9, 30], "gold_pages") == ["1", "2", "5–9", "5–9", "≥ 20"]


def test_a_text_for_every_task_is_refused() -> None:
    """The message says how many values there are."""
    with pytest.raises(PagetrailError, match="201 different values") as refused:
        group_values(BreakdownField("note"), {str(n): f"note {n}" for n in range(201)})
    assert refused.value.code == "invalid_group"
    assert (
        len(group_values(BreakdownField("domain"), {str(n): f"d{n}" for n in range(201)}).names)
        == 201
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("unanswerable", "yes"),
        ("tags", "a + b"),
        ("evidence", 2.0),
        ("source.year", 2024.0),
        ("flat.name", "whole"),
        ("empty", None),
        ("hop", "several pages"),
        ("gold_pages", 2.0),
        ("modality", "structured + tabular"),
        ("question_words", 3.0),
        ("record.batch", "of the record"),
        ("batch", "Virgo"),
    ],
)
def test_values_of_tasks(field: str, value: Any) -> None:
    """Lists of texts are one group, lists of objects a number; whole names come before paths."""
    people = People(preset("search"))
    people.task("q1", pages=(1, 2), batch="Virgo")
    people.records["q1"] |= {
        "unanswerable": True,
        "tags": ["b", "a", "b"],
        "source": {"year": 2024},
        "empty": "  ",
        "modality": ["tabular", "structured"],
        "flat.name": " whole ",
        "batch": "of the record",
    }
    values = task_values(people.source(), BreakdownField(field))
    assert values == {"q1": value}


def test_a_field_with_fields_is_refused() -> None:
    """The message names them; a field that no task has is None."""
    people = People(preset("search"))
    people.task("q1", source={"year": 2024, "site": "a"})
    with pytest.raises(PagetrailError, match=r"Choose from source\.year, source\.site"):
        task_values(people.source(), BreakdownField("source"))
    assert task_values(people.source(), BreakdownField("colour")) is None
