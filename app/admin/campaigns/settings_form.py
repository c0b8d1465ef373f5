"""A form for a protocol's settings, generated from the protocol's model."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.settings import Setting, settings
from pagetrail.app.admin.campaigns.draft import draft_values
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.page import lazy_expander
from pagetrail.storage.batches.changeable_settings import QUALITY, is_changeable
from pagetrail.storage.importers.tasks.importer import MAX_SEED
from pagetrail.storage.importers.tasks.store import DEFAULT_SEED

PASS_MARK = "pilot.pass_mark"
IS_PILOT = "pilot.enabled"
_REQUIRES = "requires"
_NONE_LABEL = "none"
_GROUPS = {
    "": N_("General"),
    "search": N_("Search"),
    "evidence": N_("Citations"),
    "answer": N_("Answer"),
    "text": N_("Text of pages"),
    "boxes": N_("Boxes"),
    "question": N_("Question"),
    "clock": N_("Clock"),
    "aids": N_("Aids"),
    "review": N_("Review"),
    "study": N_("Course of work"),
    "quality": N_("Hidden checks"),
}
"""Groups of settings, the most used first."""


def main_settings(protocol: Protocol) -> list[str]:
    """Dotted keys of the settings that are never folded away."""
    if protocol.pilot.enabled:
        first = [PASS_MARK, "pilot.feedback", "batch_size"]
    else:
        first = ["batch_size", "overlap", _REQUIRES]
    return [*first, *(["search.top_k"] if protocol.search.enabled else [])]


def settings_form(
    protocol: Protocol, prefix: str, pilots: list[str], campaigns: list[str]
) -> dict[str, Any]:
    """Show the form; returns the settings that differ from the protocol's, by dotted key.

    Args:
        prefix: starts the widgets' keys; must differ between protocols.
        pilots: pilots that can be required.
        campaigns: campaigns that can be a source of hidden gold.
    """
    values = draft_values(prefix)
    available = {setting.key: setting for setting in _available_settings(protocol)}
    main = main_settings(protocol)
    for column, key in zip(st.columns(len(main), vertical_alignment="bottom"), main, strict=True):
        with column:
            _draw(available[key], values, prefix, pilots, campaigns)
    with lazy_expander(gettext("More settings"), "new-more-settings", ":material/tune:") as is_open:
        if is_open:
            rest = [setting for key, setting in available.items() if key not in main]
            _group(rest, values, prefix, pilots, campaigns)
    return {
        key: values[key]
        for key, setting in available.items()
        if key in values and values[key] != _initial(setting)
    }


def chosen_seed() -> int:
    """The seed of the random order, entered or the default."""
    seed = draft_values("order").get("seed")
    return DEFAULT_SEED if seed is None else int(seed)


def _available_settings(protocol: Protocol) -> list[Setting]:
    """Settings that apply: pilots have their own, and require no pilot and no checks."""
    is_pilot = protocol.pilot.enabled
    return [
        setting
        for setting in settings(protocol)
        if setting.key != IS_PILOT
        and (is_pilot or setting.group != "pilot")
        and not (is_pilot and (setting.key == _REQUIRES or setting.key.startswith(QUALITY)))
    ]


def _group(
    rest: list[Setting], values: dict[str, Any], prefix: str, pilots: list[str],
    campaigns: list[str],
) -> None:  # fmt: skip
    """One group of settings at a time: all at once take seconds to draw."""
    groups = [group for group in _GROUPS if any(setting.group == group for setting in rest)]
    group = st.segmented_control(
        gettext("Settings of"),
        groups,
        format_func=lambda group: gettext(_GROUPS[group]),
        default=groups[0],
        required=True,
        key=f"{prefix}-group",
        label_visibility="collapsed",
    )
    members = [setting for setting in rest if setting.group == (group or "")]
    if all(is_changeable(setting.key) for setting in members):
        st.caption(gettext("These can be changed later, too."))
    columns = st.columns(2)
    for number, setting in enumerate(members):
        with columns[number % 2]:
            _draw(setting, values, prefix, pilots, campaigns)
    if any(setting.key == "overlap" for setting in members):  # a pilot's, which is not in sight
        st.caption(
            gettext(
                "Everybody takes a pilot. The annotators per task are those whom Review waits for."
            )
        )
    if not group:
        with columns[len(members) % 2]:
            _draw_seed()
        st.caption(gettext("To change fields, material and conditions, edit as TOML (above)."))


def _draw_seed() -> None:
    number = st.number_input(
        gettext("Number that the random order starts from"),
        min_value=0,
        max_value=MAX_SEED,
        value=chosen_seed(),
        key="campaign-seed",
        help=gettext(
            "The seed: it decides the order of tasks and who gets which batch. The same number "
            "gives the same order again. Fixed once the campaign is created."
        ),
    )
    draft_values("order")["seed"] = number


def _draw(
    setting: Setting, values: dict[str, Any], prefix: str, pilots: list[str], campaigns: list[str]
) -> None:
    """The setting's widget, starting with the value entered before it was folded away."""
    value = values.get(setting.key, _initial(setting))
    values[setting.key] = _widget(setting, value, f"{prefix}-{setting.key}", pilots, campaigns)


def _initial(setting: Setting) -> Any:
    return list(setting.value) if setting.kind == "names" else setting.value


def _help(setting: Setting) -> str:
    description = gettext(setting.description)
    later = (
        gettext("Can be changed later.")
        if is_changeable(setting.key)
        else gettext("Fixed once the campaign is created.")
    )
    return literal(
        gettext(
            "{description}. {later} In TOML: {key}",
            description=description[:1].upper() + description[1:],
            later=later,
            key=setting.key,
        )
    )


def _widget(setting: Setting, value: Any, key: str, pilots: list[str], campaigns: list[str]) -> Any:
    label, help_ = literal(gettext(setting.label)), _help(setting)
    if setting.key == _REQUIRES:
        return _campaign_choice(label, value, key, pilots, help_, gettext("there is no pilot yet"))
    if setting.key == "quality.gold_from":
        return _campaign_choice(
            label, value, key, campaigns, help_, gettext("there is no closed campaign yet")
        )
    if setting.key == PASS_MARK:
        percent = st.number_input(
            gettext("Tasks right to pass (%)"),
            0.0,
            100.0,
            round(100.0 * value, 6),
            5.0,
            format="%g",
            key=key,
            help=help_,
        )
        return round(percent / 100, 8)
    if setting.kind == "switch":
        return st.toggle(label, value=value, key=key, help=help_)
    if setting.kind in ("choice", "names"):
        return _choice(setting, label, value, key, help_)
    if setting.kind == "text":
        typed = st.text_input(
            label, value=value or "", key=key, help=help_,
            max_chars=None if setting.high is None else int(setting.high),
        )  # fmt: skip
        return typed or None if setting.optional else typed
    return _number(setting, label, value, key, help_)


def _choice(setting: Setting, label: str, value: Any, key: str, help_: str) -> Any:
    options = list(setting.options)

    def option_label(option: str) -> str:
        return gettext(setting.option_labels.get(option, option))

    if setting.kind == "names":
        return st.multiselect(
            label, options, default=value, format_func=option_label, key=key, help=help_,
            placeholder=_NONE_LABEL,
        )  # fmt: skip
    return st.selectbox(
        label, options, index=options.index(value), format_func=option_label, key=key, help=help_
    )


def _number(setting: Setting, label: str, value: Any, key: str, help_: str) -> Any:
    is_whole = setting.kind == "whole"

    def convert(number: float | None) -> Any:
        # Streamlit refuses a whole number beside a broken one.
        return number if number is None else int(number) if is_whole else float(number)

    return st.number_input(
        label,
        min_value=convert(setting.low),
        max_value=convert(setting.high),
        value=convert(value),
        step=1 if is_whole else 0.05,
        format=None if is_whole else "%g",
        placeholder=_NONE_LABEL if setting.optional else None,
        key=key,
        help=help_,
    )


def _campaign_choice(
    label: str, value: str | None, key: str, names: list[str], help_: str, placeholder: str
) -> str | None:
    """One campaign or none; a protocol may name one that does not exist."""
    options = [*names, *([value] if value is not None and value not in names else [])]
    campaign: str | None = st.selectbox(
        label,
        options,
        index=None if value is None else options.index(value),
        placeholder=_NONE_LABEL if options else placeholder,
        key=key,
        help=help_,
    )
    return campaign
