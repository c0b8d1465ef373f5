"""Published agreement tables, as campaigns: the results of a report are those that were printed."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import Protocol, parse
from tests.annotation.agreement.cases import Case, load
from tests.exports.reports.agreement.people import People, lines

PUBLISHED = [case for case in load() if case.published and case.raters_known]
ORDINAL = [
    case
    for case in load()
    if case.weights == "ordinal"
    and case.raters_known
    and len(case.ratings) <= 100
    and not case.undefined
]
EXACT = 1e-9

_HEAD = """
name = "own"
title = "A table of ratings"
pages = "given"
browse = false
search.enabled = false
evidence.enabled = false
answer.kind = "off"
"""


def protocol_of(categories: list[Any]) -> Protocol:
    """The same question three times: as a choice, as a scale, and as a number."""
    options = ", ".join(
        f'{{ value = "v{n}", label = "{category}", code = {n + 1} }}'
        for n, category in enumerate(categories)
    )
    fields = "".join(
        f'\n[[fields]]\nname = "{name}"\nlabel = "{name}"\nkind = "{kind}"\n{rest}\n'
        for name, kind, rest in (
            ("nominal", "choice", f"options = [{options}]"),
            ("scale", "ordinal", f"options = [{options}]"),
            ("number", "number", ""),
        )
    )
    return parse(_HEAD + fields, source="own")


def campaign_of(case: Case) -> People:
    """Each unit a task, each rater a person; who submitted no rating did not submit the task."""
    people = People(protocol_of(case.categories))
    for number, unit in enumerate(case.ratings):
        for rater, category in enumerate(unit):
            if category is None:
                continue
            index = case.categories.index(category)
            people.did(
                f"unit-{number:04}",
                f"rater-{rater:02}",
                ev.FieldSet(field="nominal", value=f"v{index}"),
                ev.FieldSet(field="scale", value=f"v{index}"),
                ev.FieldSet(field="number", value=index + 1),
            )
    return people


def test_krippendorff_2011() -> None:
    """Krippendorff, *Computing Krippendorff's Alpha-Reliability* (2011), its 12 × 4 table:
    alpha .743 nominal, .815 ordinal, .849 interval, of the same ratings in one campaign."""
    (case,) = [c for c in load() if c.name == "irrcac_cac.raw4raters_12x4__identity"]
    report = campaign_of(case).report()
    alphas = {
        name: lines(report, f"ratings-{name}")["Pooled"]["krippendorff_alpha"].value
        for name in ("nominal", "scale", "number")
    }
    assert {name: round(value, 3) for name, value in alphas.items()} == {
        "nominal": 0.743,
        "scale": 0.815,
        "number": 0.849,
    }
    pooled = lines(report, "ratings-nominal")["Pooled"]
    assert (pooled["units"].value, pooled["once"].value, pooled["pairs"].value) == (11, 1, 55)


def test_gwet_readme_of_irrcac() -> None:
    """The coefficients that irrCAC's README prints for the same table (R package, version 1.0):
    AC1 .77544, Fleiss .76117, Conger .76282, Brennan–Prediger .77273, agreement .81818."""
    (case,) = [c for c in load() if c.name == "irrcac_cac.raw4raters_12x4__identity"]
    pooled = lines(campaign_of(case).report(), "ratings-nominal")["Pooled"]
    assert round(pooled["gwet_ac"].value, 5) == 0.77544
    assert round(pooled["fleiss_kappa"].value, 5) == 0.76117
    assert round(pooled["conger_kappa"].value, 5) == 0.76282
    assert round(pooled["brennan_prediger"].value, 5) == 0.77273
    assert round(pooled["percent_agreement"].value, 5) == 0.81818
    assert pooled["cohen_kappa"].reason == "not_two_raters"


def test_gwets_paradox_2008() -> None:
    """Gwet 2008, 125 units of two raters (118, 5, 2, 0): AC1 is high where kappa is below 0,
    and the table of shares says why."""
    (case,) = [c for c in load() if c.name == "paradox_gwet2008_118_5_2_0__identity"]
    report = campaign_of(case).report()
    pooled = lines(report, "ratings-nominal")["Pooled"]
    for key in ("gwet_ac", "cohen_kappa"):
        assert pooled[key].value == pytest.approx(case.expected[key]["value"], abs=EXACT)
    assert pooled["gwet_ac"].value > 0.94 and pooled["cohen_kappa"].value < 0
    shares = [
        row.cells["share"].value
        for row in report.tables[1].rows
        if row.cells["field"].value == "nominal"
    ]
    assert shares == pytest.approx([(2 * 118 + 7) / 250, 7 / 250])


@pytest.mark.parametrize(
    "case",
    [c for c in PUBLISHED if c.weights == "identity" and len(c.ratings) <= 130],
    ids=lambda case: case.name,
)
def test_nominal_tables(case: Case) -> None:
    """Every published nominal table whose raters are known, as a campaign: all coefficients."""
    pooled = lines(campaign_of(case).report(), "ratings-nominal")["Pooled"]
    checked = 0
    for key, expected in case.expected.items():
        if key in pooled and expected["value"] is not None:
            assert pooled[key].value == pytest.approx(expected["value"], abs=EXACT), key
            checked += 1
    assert checked >= 5


@pytest.mark.parametrize(
    "case",
    ORDINAL,
    ids=lambda case: case.name,
)
def test_ordinal_tables(case: Case) -> None:
    """Reference tables with ordinal weights (R irrCAC, krippendorff): AC2 beside ordinal alpha."""
    pooled = lines(campaign_of(case).report(), "ratings-scale")["Pooled"]
    weighted = {"percent_agreement": "weighted_agreement"}
    for key, expected in case.expected.items():
        column = weighted.get(key, key)
        if column in pooled and expected["value"] is not None:
            assert pooled[column].value == pytest.approx(expected["value"], abs=EXACT), key
