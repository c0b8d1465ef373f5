"""A form for a protocol's settings, generated from the protocol's model."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.settings import Setting, settings
from pagetrail.app.ui.markdown_escape import literal

MAIN = ("overlap", "batch_size", "requires", "search.top_k")
_LABELS = {
    "overlap": "Overlap (annotators per task)",
    "batch_size": "Batch size (tasks)",
    "search.top_k": "Top k (pages per search)",
    "clock.limit_s": "Time limit (seconds per task)",
    "question.multi_hop_target": "Multi-hop target (share)",
}
_NONE = "none"
_PARTS = {
    "": "The campaign as a whole",
    "search": "Search",
    "evidence": "Citations",
    "answer": "Answer",
    "text": "Text of pages",
    "boxes": "Boxes",
    "question": "Question",
    "clock": "Clock",
    "pilot": "Pilot",
    "review": "Review",
    "quality": "Hidden checks",
}


def settings_form(
    protocol: Protocol, prefix: str, pilots: list[str], campaigns: list[str]
) -> dict[str, Any]:
    """Draw the form; returns the settings that differ from the protocol's, by dotted key.

    Args:
        prefix: starts the widgets' keys; must differ between protocols.
        pilots: campaigns that can be required.
        campaigns: those that hidden gold can come from.
    """
    every = settings(protocol)
    values: dict[str, Any] = {}
    main = [setting for setting in every if setting.key in MAIN]
    for column, setting in zip(st.columns(len(main)), main, strict=True):
        with column:
            values[setting.key] = _widget(setting, prefix, pilots, campaigns)
    with st.expander("More settings", icon=":material/tune:"):
        groups = dict.fromkeys(setting.group for setting in every if setting.key not in MAIN)
        for group in groups:
            st.markdown(f"**{literal(_PARTS.get(group, group.capitalize()))}**")
            members = [s for s in every if s.group == group and s.key not in MAIN]
            columns = st.columns(3)
            for place, setting in enumerate(members):
                with columns[place % 3]:
                    values[setting.key] = _widget(setting, prefix, pilots, campaigns)
        st.caption("To change fields, labels, material and conditions, edit as TOML (above).")
    return {s.key: values[s.key] for s in every if values[s.key] != _same_form(s)}


def _same_form(setting: Setting) -> Any:
    return list(setting.value) if setting.kind == "names" else setting.value


def _widget(setting: Setting, prefix: str, pilots: list[str], campaigns: list[str]) -> Any:
    key = f"{prefix}-{setting.key}"
    plain = setting.key.rpartition(".")[2].replace("_", " ").capitalize()
    label = _LABELS.get(setting.key, plain)
    help_ = literal(f"{setting.key}: {setting.description}")
    if setting.key == "requires":
        return _required_pilot(setting, key, pilots)
    if setting.key == "quality.gold_from":
        return _gold_source(setting, key, campaigns)
    if setting.kind == "switch":
        return st.toggle(label, value=setting.value, key=key, help=help_)
    if setting.kind == "choice":
        options = list(setting.options)
        return st.selectbox(label, options, index=options.index(setting.value), key=key, help=help_)
    if setting.kind == "names":
        return st.multiselect(
            label, list(setting.options), default=list(setting.value), key=key, help=help_,
            placeholder=_NONE,
        )  # fmt: skip
    if setting.kind == "text":
        typed = st.text_input(
            label, value=setting.value or "", key=key, help=help_,
            max_chars=None if setting.high is None else int(setting.high),
        )  # fmt: skip
        return typed or None if setting.optional else typed
    return _number(setting, label, key, help_)


def _number(setting: Setting, label: str, key: str, help_: str) -> Any:
    whole = setting.kind == "whole"

    def make(number: float | None) -> Any:
        # Streamlit refuses a whole number beside a broken one.
        return number if number is None else int(number) if whole else float(number)

    return st.number_input(
        label,
        min_value=make(setting.low),
        max_value=make(setting.high),
        value=make(setting.value),
        step=make(1 if whole else 0.05),
        format=None if whole else "%g",
        placeholder=_NONE if setting.optional else None,
        key=key,
        help=help_,
    )


def _gold_source(setting: Setting, key: str, campaigns: list[str]) -> str | None:
    options = [*campaigns]
    if setting.value is not None and setting.value not in options:
        options.append(setting.value)
    chosen: str | None = st.selectbox(
        "Hidden gold from",
        options,
        index=None if setting.value is None else options.index(setting.value),
        placeholder=_NONE if options else "there is no campaign yet",
        key=key,
        help=literal(f"{setting.key}: {setting.description}"),
    )
    return chosen


def _required_pilot(setting: Setting, key: str, pilots: list[str]) -> str | None:
    options = [*pilots]
    if setting.value is not None and setting.value not in options:
        options.append(setting.value)
    chosen: str | None = st.selectbox(
        "Required pilot",
        options,
        index=None if setting.value is None else options.index(setting.value),
        placeholder=_NONE if options else "there is no pilot",
        key=key,
        help="Only people who have passed this pilot campaign get batches.",
    )
    return chosen
