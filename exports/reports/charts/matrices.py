"""Charts that replace tables: error cascade, kappa matrix, agreement by group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from pagetrail.exports.reports.charts.style import (
    COLOURS,
    FEW_SERIES,
    GRID,
    INK,
    PAPER,
    QUIET,
    SHAPES,
    WIDTH,
    clean,
    distinct,
    said,
    spec,
    values,
)
from pagetrail.exports.reports.model import Chart

STAGES = {
    "no_answer": ("no answer", "#1a1a1a"),
    "retrieval": ("retrieval failed: no right document", "#c4524c"),
    "navigation": ("navigation failed: right document, no right page", "#efa850"),
    "comprehension": ("comprehension failed: right page, wrong answer", "#f9e6c8"),
    "correct": ("correct", "#1b5a94"),
}
"""Stages in words, and colours that also differ in lightness from one to the next."""

LIGHT_TEXT = frozenset({"#1a1a1a", "#c4524c", "#1b5a94"})
DIGIT_WIDTH = 8
"""Pixels that a digit of a count takes with its share of the space around."""
COEFFICIENTS = {
    "krippendorff_alpha": "Krippendorff's alpha",
    "gwet_ac": "Gwet's AC2",
    "percent_agreement": "percent agreement",
    "fleiss_kappa": "Fleiss' kappa",
    "conger_kappa": "Conger's kappa",
    "brennan_prediger": "Brennan–Prediger",
    "cohen_kappa": "Cohen's kappa",
}


def cascade_chart(
    shares: Mapping[str, Mapping[str, float]], counts: Mapping[str, Mapping[str, int]]
) -> Chart:
    """Which attempts are correct and why the others are not, one bar per system.

    Args:
        shares: system → stage → weighted share of its attempts, stages in their order.
        counts: the same as counts.
    """
    if not shares or not all(shares.values()):
        raise ValueError("a cascade needs systems, and each of them stages")
    title = "Where do attempts fail first?"
    names = distinct(list(shares))
    stages = list(dict.fromkeys(stage for row in shares.values() for stage in row))
    looks = {s: STAGES.get(s, (clean(s.replace("_", " ")), "#9988dd")) for s in stages}
    rows: list[dict[str, Any]] = []
    for name, row in shares.items():
        start = 0.0
        for stage, share in row.items():
            n, colour = counts[name][stage], looks[stage][1]
            rows.append(
                {
                    "series": names[name],
                    "stage": looks[stage][0],
                    "start": round(start, 9),
                    "end": round(start + share, 9),
                    "middle": round(start + share / 2, 9),
                    "n": n,
                    "label": f"{n:,}" if share * WIDTH >= DIGIT_WIDTH * len(f"{n:,}") + 4 else "",
                    "text": PAPER if colour in LIGHT_TEXT else INK,
                }
            )
            start += share
    totals = [
        {"series": names[name], "end": 1, "label": f"n = {sum(counts[name].values()):,}"}
        for name in shares
    ]
    y = alt.Y("series:N", title=None, sort=None, axis=alt.Axis(ticks=False, domain=False))
    x = alt.X(
        "start:Q",
        title="Attempts (%, weighted)",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1], grid=False),
    )
    coloured = alt.Color(
        "stage:N",
        sort=None,
        scale=alt.Scale(domain=[looks[s][0] for s in stages], range=[looks[s][1] for s in stages]),
        legend=alt.Legend(
            title=None, orient="bottom", columns=2, labelLimit=320, symbolType="square"
        ),
    )
    base = alt.Chart(values(rows)).encode(y=y)
    bars = base.mark_bar(stroke=PAPER, strokeWidth=1.5).encode(
        x=x, x2=alt.X2("end:Q"), color=coloured
    )
    labels = base.mark_text(fontSize=12).encode(
        x=alt.X("middle:Q"),
        text=alt.Text("label:N"),
        color=alt.Color("text:N", scale=None, legend=None),
    )
    sums = (
        alt.Chart(values(totals))
        .mark_text(align="left", dx=6, fontSize=12)
        .encode(x=alt.X("end:Q"), y=y, text=alt.Text("label:N"))
    )
    made = alt.layer(bars, labels, sums).resolve_scale(color="independent")
    return Chart(
        key="cascade",
        title=title,
        caption=said(
            "Correct attempts, and the others by why they are not. Bars have the attempts of "
            "people at one task share a weight of 1; the numbers in them are attempts.",
            (f"{names[name]}: {', '.join(_counted(row, looks))}." for name, row in counts.items()),
        ),
        spec=spec(made.properties(width=WIDTH, height=max(60, 44 * len(shares))), title),
    )


def _counted(counts: Mapping[str, int], looks: Mapping[str, tuple[str, str]]) -> list[str]:
    return [f"{looks[stage][0]} {n:,}" for stage, n in counts.items() if n] or ["no attempts"]


def kappa_chart(pairs: Sequence[tuple[str, str, float | None, str | None]]) -> Chart:
    """A matrix of pairwise kappa; pairs without one are marked.

    Args:
        pairs: (one, other, kappa, why it is undefined), each pair once.
    """
    if not pairs:
        raise ValueError("a matrix needs pairs")
    title = "Who solves the same tasks? Cohen's kappa of being right, pair by pair"
    names = distinct(list(dict.fromkeys(name for a, b, *_ in pairs for name in (a, b))))
    rows = [
        {
            "row": names[one],
            "column": names[other],
            "kappa": kappa,
            "label": "–" if kappa is None else f"{kappa:.2f}".replace("-", "\u2212"),
            "text": PAPER if kappa is not None and abs(kappa) > 0.6 else INK,
        }
        for a, b, kappa, _ in pairs
        for one, other in ((a, b), (b, a))
    ]
    order = list(names.values())
    side = max(44, min(64, WIDTH // len(order)))
    axis = alt.Axis(ticks=False, domain=False, labelPadding=6)
    x = alt.X(
        "column:N",
        title=None,
        scale=alt.Scale(domain=order),
        axis=alt.Axis(ticks=False, domain=False, labelAngle=-40, labelLimit=160, labelPadding=6),
    )
    y = alt.Y("row:N", title=None, scale=alt.Scale(domain=order), axis=axis)
    base = alt.Chart(values(rows)).encode(x=x, y=y)
    cells = base.mark_rect(stroke=PAPER, strokeWidth=2).encode(
        color=alt.Color(
            "kappa:Q",
            scale=alt.Scale(
                domain=[-1, 0, 1], range=["#b35f00", "#f4f6f9", "#0d4470"], interpolate="lab"
            ),
            legend=alt.Legend(title="kappa", format=".1f", gradientLength=140),
        )
    )
    # A mark without a number is not drawn at all: undefined cells are a layer of their own.
    undefined = base.transform_filter("!isValid(datum.kappa)").mark_rect(
        fill=PAPER, stroke=GRID, strokeWidth=1.5, strokeDash=[3, 3]
    )
    text = base.mark_text(fontSize=13 if len(order) <= 10 else 10).encode(
        text=alt.Text("label:N"), color=alt.Color("text:N", scale=None, legend=None)
    )
    missing = sum(kappa is None for _, _, kappa, _ in pairs)
    return Chart(
        key="kappa",
        title=title,
        caption=said(
            "1: right and wrong on the same tasks; 0: no more alike than by chance; below 0: each "
            "solves what the other does not."
            + (f" Undefined for {missing} of {len(pairs)} pairs, marked –." if missing else ""),
            (
                f"{names[a]} and {names[b]}: {kappa:.2f}."
                for a, b, kappa, _ in pairs
                if kappa is not None
            ),
        ),
        spec=spec(
            alt.layer(cells, undefined, text)
            .resolve_scale(color="independent")
            .properties(width=side * len(order), height=side * 3 // 4 * len(order)),
            title,
        ),
    )


def agreement_chart(
    points: Sequence[tuple[str, str, float, float | None, float | None]],
    *,
    key: str,
    title: str,
    axis: str = "Agreement (coefficient; 1: complete, 0: chance)",
) -> Chart:
    """Coefficients, or other measures of at most 1, of each group, with their intervals.

    Args:
        points: (group, coefficient, value, low, high); low and high None without an interval.
        key: of the chart.
        title: a sentence or a question.
        axis: title of the axis; by default of coefficients that are 0 at chance.
    """
    if not points:
        raise ValueError("a chart of agreement needs points")
    groups = distinct(list(dict.fromkeys(group for group, *_ in points)))
    kinds = sorted(dict.fromkeys(kind for _, kind, *_ in points), key=_place)
    labels = {kind: COEFFICIENTS.get(kind, clean(kind)) for kind in kinds}
    rows: list[dict[str, Any]] = [
        {
            "group": groups[group],
            "kind": labels[kind],
            "value": value,
            "low": value if low is None else low,
            "high": value if high is None else high,
        }
        for group, kind, value, low, high in points
    ]
    lowest = min(0.0, *(row["low"] for row in rows))
    domain = list(labels.values())
    legend = alt.Legend(title=None, orient="bottom", labelLimit=320)
    # Places of AC and of what is neither follow alpha's, also where a chart has no alpha.
    places = [_place(kind) if _place(kind) < 2 else 2 + i for i, kind in enumerate(kinds)]
    colours, shapes = (
        alt.Scale(domain=domain, range=[looks[place % len(looks)] for place in places])
        for looks in (COLOURS, SHAPES)
    )
    colour = alt.Color("kind:N", scale=colours, legend=legend)
    shape = alt.Shape("kind:N", scale=shapes, legend=legend)
    scale = alt.Scale(domain=[lowest, 1], nice=lowest < 0)
    base = alt.Chart(values(rows)).encode(
        y=alt.Y(
            "group:N",
            title=None,
            sort=None,
            scale=alt.Scale(paddingInner=0.35),
            axis=alt.Axis(ticks=False, domain=False, grid=True, labelPadding=8),
        ),
        yOffset=alt.YOffset("kind:N", sort=None, scale=alt.Scale(domain=domain, paddingOuter=0.2)),
        color=colour,
    )
    bars = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", title=axis, scale=scale), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=alt.X("value:Q", title=axis, scale=scale), shape=shape
    )
    zero = (
        alt.Chart(values([{"x": 0}])).mark_rule(color=QUIET, strokeWidth=1.2).encode(x=alt.X("x:Q"))
    )
    return Chart(
        key=key,
        title=clean(title),
        caption=said("Points: estimates; bars: 95 % intervals.", _sentences(rows, domain)),
        spec=spec(
            alt.layer(
                zero, bars, dots, width=WIDTH, height=max(70, (14 * len(kinds) + 12) * len(groups))
            ),
            title,
        ),
    )


def _place(kind: str) -> int:
    """Styles in a fixed order: alpha first, AC second, even if other measures are missing."""
    if "alpha" in kind.lower() or "α" in kind:
        return 0
    return 1 if "AC" in kind or kind == "gwet_ac" else 2


def _sentences(rows: Sequence[Mapping[str, Any]], kinds: Sequence[str]) -> list[str]:
    """What each point says; of many, from where to where the values of a coefficient go."""
    if len(rows) <= FEW_SERIES:
        return [_said(row) for row in rows]
    found = []
    for kind in kinds:
        own = sorted((row for row in rows if row["kind"] == kind), key=lambda row: row["value"])
        low, high = (f"{row['value']:.3f} ({row['group']})" for row in (own[0], own[-1]))
        found.append(f"{kind}: from {low} to {high}.")
    return found


def _said(row: Mapping[str, Any]) -> str:
    interval = "" if row["low"] == row["high"] else f" [{row['low']:.3f}, {row['high']:.3f}]"
    return f"{row['group']}, {row['kind']}: {row['value']:.3f}{interval}."
