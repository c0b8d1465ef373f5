"""Histograms and box plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt

from pagetrail.annotation.messages import lazy_gettext, lazy_ngettext
from pagetrail.exports.reports.charts.style import (
    COLOURS,
    INK,
    SCREEN,
    Layout,
    chart_spec,
    clean,
    distinct,
    inline_data,
    legend,
    slug,
    whole_ticks,
)
from pagetrail.exports.reports.model import Chart

_BINS = 20
"""Bins of equal width; the last includes 1."""


def overlap_chart(overlaps: Sequence[float], *, measure: str) -> Chart:
    """Histogram of the overlap of people's zones on a page, with its mean over pages.

    Args:
        overlaps: one value per page, 0–1.
        measure: its name, e.g. ``IoU``.
    """
    if not overlaps:
        raise ValueError("a histogram needs values")
    label = clean(measure)
    title = lazy_gettext(
        "How far do two annotators mark the same region? {label} of each page", label=label
    )
    counts = [0] * _BINS
    for overlap in overlaps:
        counts[min(int(overlap * _BINS), _BINS - 1)] += 1
    mean = sum(overlaps) / len(overlaps)
    rows = [{"low": i / _BINS, "high": (i + 1) / _BINS, "n": n} for i, n in enumerate(counts)]
    x = alt.X(
        "low:Q",
        bin="binned",
        title=lazy_gettext("{label} (0: apart, 1: the same region)", label=label),
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1], format=".1f", grid=False),
    )
    y = alt.Y("n:Q", title=lazy_gettext("Pages (count)"), axis=_count_axis(max(counts)))
    bars = (
        alt.Chart(inline_data(rows))
        .mark_bar(color=COLOURS[0], binSpacing=1)
        .encode(x=x, x2=alt.X2("high:Q"), y=y)
    )
    at_mean = alt.Chart(
        inline_data([{"mean": mean, "label": lazy_gettext("mean {mean:.3f}", mean=mean)}])
    ).encode(x=alt.X("mean:Q"))
    rule = at_mean.mark_rule(color=COLOURS[1], strokeWidth=2.5, strokeDash=[6, 3])
    is_right = mean > 0.5
    text = at_mean.mark_text(
        align="right" if is_right else "left", dx=-6 if is_right else 6, dy=-7
    ).encode(y=alt.value(0), text=alt.Text("label:N"))
    return Chart(
        key=f"overlap-{slug(measure)}",
        title=title,
        caption=lazy_ngettext(
            "{label} of {number:,} page; the broken line is the mean, {mean:.3f}.",
            "{label} of {number:,} pages; the broken line is the mean over pages, {mean:.3f}.",
            len(overlaps),
            label=label,
            mean=mean,
        ),
        spec=chart_spec(
            alt.layer(bars, rule, text, width=SCREEN.width, height=SCREEN.height), title
        ),
    )


def bins_chart(
    series: Mapping[str, Mapping[str, float]],
    *,
    key: str,
    title: str,
    x_title: str,
    y_title: str,
    is_share: bool = False,
    layout: Layout = SCREEN,
) -> Chart:
    """Counts or shares by bin, for papers; several series are side by side.

    Args:
        series: by name, label of each bin in order → count, or share 0–1.
        is_share: whether values are shares.
    """
    if not series:
        raise ValueError("a histogram needs values")
    names = distinct(list(series))
    rows: list[dict[str, Any]] = [
        {"series": names[name], "bin": label, "value": round(value, 9)}
        for name, bins in series.items()
        for label, value in bins.items()
    ]
    highest = max((row["value"] for row in rows), default=0)
    y_axis = alt.Axis(format=".0%") if is_share else _count_axis(highest)
    chart = (
        alt.Chart(inline_data(rows))
        .mark_bar()
        .encode(
            x=alt.X("bin:N", title=x_title, sort=None, axis=alt.Axis(labelAngle=-45, grid=False)),
            y=alt.Y("value:Q", title=y_title, axis=y_axis),
            color=alt.Color(
                "series:N",
                scale=alt.Scale(domain=list(names.values()), range=list(COLOURS[: len(names)])),
                legend=legend(list(names.values()), layout, symbol="square")
                if len(names) > 1
                else None,
            ),
        )
    )
    if len(names) > 1:
        chart = chart.encode(xOffset=alt.XOffset("series:N", sort=None))
    peaks = {name: max(bins, key=lambda label: bins[label]) for name, bins in series.items()}
    return Chart(
        key=key,
        title=title,
        caption=f"{y_title} by {x_title[:1].lower()}{x_title[1:]}. "
        + " ".join(f"{names[name]}: most in {label}." for name, label in peaks.items()),
        spec=chart_spec(chart.properties(width=layout.width, height=layout.height), title),
        columns=layout.columns,
    )


_BOX_OPACITY = 0.5


class Spread(NamedTuple):
    """A box with its whiskers.

    Attributes:
        kind: distinguishes the boxes of one name; empty if it has only one.
        low, high: ends of the whiskers.
    """

    name: str
    low: float
    q1: float
    median: float
    q3: float
    high: float
    n: int
    kind: str = ""


def box_chart(
    spreads: Sequence[Spread], *, key: str, title: str, axis: str, layout: Layout = SCREEN
) -> Chart:
    """Horizontal box plots of values between 0 and 1, with median and n, for papers."""
    if not spreads:
        raise ValueError("a box plot needs values")
    names = distinct(list(dict.fromkeys(spread.name for spread in spreads)))
    kinds = list(dict.fromkeys(spread.kind for spread in spreads))
    rows = [
        {
            **spread._asdict(),
            "name": names[spread.name],
            "label": f"{spread.median:.2f}, n = {spread.n:,}",
        }
        for spread in spreads
    ]
    base = alt.Chart(inline_data(rows)).encode(
        y=alt.Y(
            "name:N",
            title=None,
            sort=None,
            axis=alt.Axis(ticks=False, domain=False, labelPadding=8),
            scale=alt.Scale(paddingInner=0.35),
        )
    )
    if len(kinds) > 1:
        base = base.encode(yOffset=alt.YOffset("kind:N", sort=kinds))
    colour = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=kinds, range=list(COLOURS[: len(kinds)])),
        legend=legend(kinds, layout, symbol="square", opacity=_BOX_OPACITY)
        if len(kinds) > 1
        else None,
    )
    scale = alt.Scale(domain=[0, 1])
    whiskers = base.mark_rule(color=INK).encode(
        x=alt.X("low:Q", title=axis, scale=scale), x2="high:Q"
    )
    boxes = base.mark_bar(opacity=_BOX_OPACITY, stroke=INK, strokeWidth=1, size=12).encode(
        x=alt.X("q1:Q", title=axis, scale=scale), x2="q3:Q", color=colour
    )
    medians = base.mark_tick(color=INK, thickness=2.5, size=12).encode(
        x=alt.X("median:Q", title=axis, scale=scale)
    )
    texts = base.mark_text(align="left", dx=8, fontSize=11).encode(
        x=alt.datum(1, type="quantitative"), text=alt.Text("label:N")
    )
    height = max(60, (18 * len(kinds) + 10) * len(names))
    return Chart(
        key=key,
        title=title,
        caption=f"{axis}: median, quartiles and whiskers. "
        + " ".join(
            f"{', '.join(filter(None, (names[spread.name], spread.kind)))}: {spread.median:.2f}."
            for spread in spreads
        ),
        spec=chart_spec(
            alt.layer(whiskers, boxes, medians, texts, width=layout.width, height=height), title
        ),
        columns=layout.columns,
    )


def _count_axis(highest: float) -> alt.Axis:
    ticks: Any = whole_ticks(0, max(1, highest))
    return alt.Axis(values=ticks, format=",d")
