"""Charts of reports on screens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pagetrail.annotation.messages import translate, translate_message
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import chart_locale, localise_numbers
from pagetrail.app.ui.report_downloads import chart_buttons
from pagetrail.exports.reports.charts.style import title_lines
from pagetrail.exports.reports.model import Chart, Report

_EDGES = ("left", "top", "right", "bottom")


def draw_chart(chart: Chart) -> None:
    """The chart without caption and downloads."""
    # The chart keeps its own colours and size, so that the download looks the same even in dark
    # mode. Streamlit modifies the spec, and sessions share charts. Its padding would replace the
    # chart's, and the title and last tick would touch the edge.
    spec = _translated(chart.spec)
    # Only on screen: a downloaded chart is the same for everybody.
    if "title" in spec:
        spec["title"] |= {"text": title_lines(translate(chart.title))}
    spec["config"] = spec.get("config", {}) | {"locale": chart_locale()}
    st.vega_lite_chart(
        spec={**spec, "autosize": "pad", "padding": dict.fromkeys(_EDGES, _padding(spec))},
        theme=None,
        width="content",
        key=f"chart-{chart.key}",
        alt=translate(chart.caption),
    )


def _translated(part: Any) -> Any:
    """A copy with the messages in the reader's language; other texts are names or Vega's."""
    if isinstance(part, Mapping):
        return {key: _translated(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_translated(value) for value in part]
    return translate_message(part)


def _padding(spec: Mapping[str, Any]) -> int:
    return int(spec.get("config", {}).get("padding", 0))


def show_chart(report: Report, chart: Chart) -> None:
    """A chart of a report with its caption and its downloads."""
    draw_chart(chart)
    st.caption(literal(localise_numbers(translate(chart.caption))))
    with st.container(horizontal=True, gap="small"):
        chart_buttons(report, chart)
