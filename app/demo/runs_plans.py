"""What the demo's two agents ask, and where they go wrong, question by question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """One agent at one question.

    Attributes:
        queries: in the order in which they are run.
        answer: what it hands in where that is not the gold; empty gives up.
        astray: it cites the first page that is no evidence.
        denies: without an answer it says that there is none, not that it found none.
    """

    queries: tuple[str, ...]
    answer: tuple[str, ...] | None = None
    astray: bool = False
    denies: bool = False


def _plan(
    *queries: str,
    answer: tuple[str, ...] | None = None,
    astray: bool = False,
    denies: bool = False,
) -> Plan:
    return Plan(queries, answer, astray, denies)


SEARCHING: Mapping[str, Plan] = {
    "care-01": _plan("hand hygiene ward lowest"),
    "form-01": _plan("building inspection Quayside Mill failed", "inspection Quayside Mill"),
    "manual-01": _plan("Kelvara fault code water warm", "Kelvara E7"),
    "manual-04": _plan(
        "Kelvara DW 640 price",
        "Kelvara price",
        "dishwasher price",
        "Kelvara cost",
        "DW 640 pounds",
        "dishwasher £",
        denies=True,
    ),
    "paper-01": _plan(
        "treated catchment water colour fall control slope",
        "catchment slope colour control",
        "catchment colour control",
    ),
    "rail-01": _plan("chair board Marguerite Vaulx succeeded", "Marguerite Vaulx chair"),
    "scan-01": _plan("lifting jack 2 Brackwater screw renewed"),
    "town-01": _plan("Harrowmere garden waste bin fee", "garden waste bin"),
    "trade-01": _plan("Wrenfield Mutual premium tax Saddler"),
    "water-01": _plan("Tarn Valley Water leakage 2020 2024"),
    "care-02": _plan(
        "emergency department four hours month share",
        "emergency department four hours",
        "four hours July",
        answer=("September",),
    ),
    "form-02": _plan("building control decision Quayside Mill", "decision approved conditions"),
    "manual-02": _plan(
        "Kelvara programme water consumption litres", "programme litres Intensive", "programme kWh"
    ),
    "paper-02": _plan("mean colour treated catchments Hazen", "colour Hazen 2020", answer=("141",)),
    "rail-02": _plan("Northfield punctuality line 2023", "punctuality Vale Line Moor Line"),
    "scan-02": _plan("Ostrander Pell lifting certificate serial number", "certificate KT"),
    "town-02": _plan(
        "Harrowmere housing scheme homelessness leader",
        "homelessness scheme",
        "capital programme housing",
    ),
    "trade-02": _plan("bicycles insured Wrenfield", "batteries electric bicycles"),
    "water-02": _plan("Tarn Valley burst mains repaired"),
    "water-08": _plan(
        "floating solar Skelder Beck cost",
        "floating solar",
        "Skelder Beck",
        "solar array cost",
        denies=True,
    ),
    "care-03": _plan("outcomes worse national median", "outcomes national median treatment"),
    "form-03": _plan("Quayside Brass Beginners benefit"),
    "manual-03": _plan("Kelvara filter clean", "filter clean week", "guarantee years machine"),
    "paper-03": _plan("ditches blocked kilometres", "Brennock ditches blocked", "peat ditches"),
    "rail-03": _plan("minutes of delay passengers share", "delay minutes cause", answer=("24.5%",)),
    "rail-10": _plan(
        "Northfield bus division passengers",
        "bus division",
        "Northfield bus",
        "bus passengers 2024",
        "replacement bus",
        answer=("1.9 million",),
        astray=True,
    ),
    "scan-03": _plan(
        "Ostrander Pell certificate stamp date", "Ostrander Pell certificate", "Ostrander Pell"
    ),
    "town-03": _plan("Harrowmere savings considerable effect residents"),
    "town-09": _plan(
        "Harrowmere travel survey 2026 research firm", "travel survey 2026", "survey fee firm"
    ),
    "trade-03": _plan("Martlet Heron range batteries", "second battery price", "Heron batteries"),
    "water-03": _plan("Tarn Valley commitments customers missed"),
    "form-04": _plan(
        "Quayside Brass grant before total cost", "grant total cost project", "project cost"
    ),
    "rail-04": _plan("Class 61 continuous power kW"),
    "scan-04": _plan(
        "Ostrander Pell worn screw depot",
        "Ostrander Pell screw",
        "Brackwater depot classes home",
        "fleet Brackwater",
        answer=("Class 61",),
    ),
    "town-04": _plan(
        "climate fund market hall heating",
        "climate fund",
        "reserves climate fund 2026",
        "market hall heating grant",
    ),
    "trade-04": _plan("Martlet models belt drive", "Martlet belt"),
    "water-04": _plan(
        "Tarn Valley power cost 2024",
        "operating costs power",
        "electricity works GWh",
        "energy GWh wind",
    ),
    "rail-05": _plan("Class 27 next overhaul"),
    "town-05": _plan("pavement tables applications refused"),
    "water-05": _plan(
        "chief executive total pay 2024",
        "Northfield chief executive pay",
        "Tarn Valley chief executive pay",
        "directors pay total",
        answer=("Tarn Valley Water", "687"),
    ),
    "rail-06": _plan("Harrow Tor tunnel relining budget"),
    "town-06": _plan(
        "market hall heating bidders price", "offers market hall heating", "offers heating"
    ),
    "water-06": _plan("storm overflow spills receiving water", "spills Marle Water"),
    "rail-07": _plan(
        "Northfield dividend 2024", "dividend pence share", "income statement dividend"
    ),
    "town-07": _plan("never take the bus reasons", "bus does not go", "reasons bus survey"),
    "water-07": _plan(
        "Tarn Valley electricity wind power bought", "wind power share", "wind electricity"
    ),
    "rail-08": _plan(
        "lost-time injury rate target 2023", "lost-time injury rate", "injury rate 2024"
    ),
    "town-08": _plan("discontent mode of transport", "satisfied mode bus very discontent"),
    "rail-09": _plan(
        "directors board meetings attendance", "board attendance", answer=("Rafe Okonjo-Lind",)
    ),
}

ONE_QUERY: Mapping[str, Plan] = {
    "care-01": _plan("hand hygiene ward"),
    "form-01": _plan("building inspection failed"),
    "manual-01": _plan("Kelvara water warm code", answer=("E12",)),
    "manual-04": _plan("Kelvara DW 640 price"),
    "paper-01": _plan("catchment water colour", answer=("A", "1.9")),
    "rail-01": _plan("chair board Vaulx"),
    "scan-01": _plan("Brackwater jack screw renewed"),
    "town-01": _plan("garden waste bin Harrowmere"),
    "trade-01": _plan("Wrenfield Mutual premium"),
    "water-01": _plan("Tarn Valley leakage", answer=("9.6",)),
    "care-02": _plan("emergency department four hours month", answer=("September",)),
    "form-02": _plan("Quayside Mill decision"),
    "manual-02": _plan("Kelvara programme litres"),
    "paper-02": _plan("catchments colour 2020", answer=("118",)),
    "rail-02": _plan("Northfield trains on time lines 2023"),
    "scan-02": _plan("Ostrander Pell serial number"),
    "town-02": _plan("Harrowmere housing scheme homelessness"),
    "trade-02": _plan("bicycles insured batteries"),
    "water-02": _plan("Tarn Valley burst mains"),
    "water-08": _plan("floating solar array cost", answer=("£2.1 million",), astray=True),
    "care-03": _plan("outcomes treatment national median"),
    "form-03": _plan("Quayside Brass grant"),
    "manual-03": _plan("Kelvara filter guarantee"),
    "paper-03": _plan("ditches blocked Tarn Valley"),
    "rail-03": _plan("Northfield delay passengers", answer=("9%",)),
    "rail-10": _plan("Northfield bus division passengers"),
    "scan-03": _plan("Ostrander Pell certificate stamp"),
    "town-03": _plan("Harrowmere savings residents"),
    "town-09": _plan("Harrowmere travel survey 2026", answer=("Pellow Research",), astray=True),
    "trade-03": _plan("Martlet Heron two batteries"),
    "water-03": _plan("Tarn Valley commitments missed 2024"),
    "form-04": _plan("Quayside Brass total cost"),
    "rail-04": _plan("Class 61 continuous power"),
    "scan-04": _plan("Ostrander Pell worn screw"),
    "town-04": _plan("Harrowmere climate fund market hall"),
    "trade-04": _plan("Martlet belt"),
    "water-04": _plan("Tarn Valley power electricity GWh"),
    "rail-05": _plan("Class 27 next overhaul"),
    "town-05": _plan("Town Centre Committee pavement tables"),
    "water-05": _plan("chief executive total pay", answer=("Tarn Valley Water", "112")),
    "rail-06": _plan("Harrow Tor tunnel relining"),
    "town-06": _plan("market hall heating price"),
    "water-06": _plan("Tarn Valley storm overflow spills"),
    "rail-07": _plan("Northfield dividend 2024", answer=("12.2",)),
    "town-07": _plan("never take bus Harrowmere"),
    "water-07": _plan("Tarn Valley wind power"),
    "rail-08": _plan("Northfield injury rate target"),
    "town-08": _plan("transport discontent share", answer=("Car", "22%")),
    "rail-09": _plan("Northfield board meetings attended"),
}
