"""The protocol of a new campaign: a preset or a TOML file, and its settings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

import streamlit as st

from pagetrail.annotation.errors import PagetrailError, ProtocolError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol, preset, preset_names, with_overrides
from pagetrail.annotation.protocols.settings import setting_differences, settings
from pagetrail.annotation.protocols.text import overview
from pagetrail.annotation.protocols.toml_text import MAX_CHARS
from pagetrail.app.admin.campaigns.box_label_editor import edit_box_labels
from pagetrail.app.admin.campaigns.protocol_computation import ProtocolText
from pagetrail.app.admin.campaigns.settings_form import (
    IS_PILOT,
    PASS_MARK,
    chosen_seed,
    main_settings,
    settings_form,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_count
from pagetrail.app.ui.page import lazy_expander
from pagetrail.storage.importers.tasks.store import DEFAULT_SEED

FOR_NEW = {"study.guidelines_first": True}
"""Settings of campaigns made from a preset here; presets leave them off."""
AS_PILOT = {IS_PILOT: True}
SAID_OF_PILOTS = (IS_PILOT, PASS_MARK, "pilot.feedback")
_TOML = "new-toml"
_TOML_PRESET = "new-toml-taken"
_TOML_DRAFT = "new-toml-kept"
_READ = "new-toml-read"
_READER = "pagetrail.app.admin.campaigns.protocol_computation:read_protocol"


@dataclass(frozen=True)
class ProtocolChoice:
    """A protocol for a new campaign.

    Attributes:
        origin: “the preset” or “your TOML”.
        differences: differences from the origin, as sentences.
        labels_differ: whether box labels differ from the origin's.
    """

    protocol: Protocol
    origin: str
    differences: tuple[str, ...]
    labels_differ: bool


def choose_protocol(
    app: Services, pilots: list[str], campaigns: list[str], *, pilot: bool
) -> ProtocolChoice | None:
    """Show the choice; None while it has errors, which are shown.

    Args:
        pilots: pilots that can be required.
        campaigns: campaigns that can be a source of hidden gold.
        pilot: whether to create a pilot; a TOML file can also say so.
    """
    names = preset_names()
    preset_column, toml_column = st.columns([5, 3], vertical_alignment="bottom")
    name = preset_column.selectbox(
        gettext("What annotators do"),
        names,
        index=names.index("search"),
        format_func=lambda name: f"{gettext(preset(name).title)} ({name})",
        key="new-preset",
    )
    in_toml = toml_column.toggle(
        gettext("Edit as TOML"),
        key="new-as-toml",
        help=gettext("To change fields, material and conditions, or to use your own file."),
    )
    origin = _toml_input(app, name) if in_toml else preset(name)
    if origin is None:
        return None
    # Another protocol gets other widgets, so that no value is carried over.
    prefix = f"set-{sha256(origin.model_dump_json().encode()).hexdigest()[:12]}"
    try:
        base = with_overrides(
            origin, {**({} if in_toml else FOR_NEW), **(AS_PILOT if pilot else {})}
        )
        changes = settings_form(base, prefix, pilots, campaigns)
        if changes.get("boxes.enabled", base.boxes.enabled):
            changes |= edit_box_labels(base, prefix)
        protocol = with_overrides(base, changes)
    except ProtocolError as error:
        st.error(literal(_with_labels(error.message, origin)))
        return None
    in_sight = {*main_settings(base), *AS_PILOT}
    differences = tuple(setting_differences(origin, protocol, leave_out=SAID_OF_PILOTS))
    folded_away = setting_differences(origin, protocol, leave_out=in_sight)
    if chosen_seed() != DEFAULT_SEED:
        folded_away.append(
            gettext(
                "Seed of the random order: {seed} (not {default_seed})",
                seed=chosen_seed(),
                default_seed=DEFAULT_SEED,
            )
        )
    origin_name = gettext("your TOML") if in_toml else gettext("the preset")
    st.caption(
        literal(
            gettext(
                "Different from {origin}: {differences}.",
                origin=origin_name,
                differences="; ".join(folded_away),
            )
        )
        if folded_away
        else gettext("More settings are as in {origin}.", origin=origin_name)
    )
    with lazy_expander(
        gettext("What annotators are asked"), "new-overview", ":material/visibility:"
    ) as is_open:
        if is_open:
            st.code(overview(protocol), language=None, wrap_lines=True)
    return ProtocolChoice(
        protocol, origin_name, differences, protocol.boxes.labels != origin.boxes.labels
    )


def _with_labels(message: str, protocol: Protocol) -> str:
    """The message with the settings' labels in place of their keys."""
    labels = {setting.key: f"“{setting.label}”" for setting in settings(protocol)}
    localised = re.sub(r"\b[a-z_]+\.[a-z_]+\b", lambda key: labels.get(key[0], key[0]), message)
    return localised.removeprefix(f"Protocol {protocol.name}: ")


def preset_toml(name: str) -> str:
    """The TOML text of a preset."""
    return (files("pagetrail.annotation.protocols") / "presets" / f"{name}.toml").read_text(
        encoding="utf-8"
    )


def _toml_input(app: Services, name: str) -> Protocol | None:
    upload = st.file_uploader(
        gettext("Your own TOML file"), type=["toml"], key="new-toml-file", max_upload_size=1
    )
    _refill_editor(name, upload)
    text = st.text_area(
        gettext("Protocol in TOML"),
        key=_TOML,
        height=320,
        max_chars=MAX_CHARS,
        help=gettext(
            "Checked when you leave the box or press Ctrl+Enter. Every key is described in "
            "docs/protocols.md."
        ),
    )
    # A widget loses its value while it is not on the screen.
    st.session_state[_TOML_DRAFT] = text or ""
    try:
        protocol, wrong = _read(app, text or "")
    except PagetrailError as error:
        st.error(literal(error.message))
        return None
    if protocol is not None:
        st.caption(gettext("This protocol is valid."))
        return protocol
    st.error(
        format_count(
            "This protocol has {number} problem.",
            "This protocol has {number} problems.",
            len(wrong),
        )
    )
    for problem in wrong[:20]:
        line = gettext("line {line}", line=problem.line) if problem.line else ""
        position = ", ".join(filter(None, [line, problem.key]))
        st.markdown(literal(f"{position}: {problem.message}" if position else problem.message))
    return None


def _read(app: Services, text: str) -> ProtocolText:
    """Parse the text in a worker process within its time limit, once per text.

    Raises:
        PagetrailError: parsing took too long, or failed.
    """
    stored: tuple[str, ProtocolText] | None = st.session_state.get(_READ)
    if stored is not None and stored[0] == text:
        return stored[1]
    with st.spinner(gettext("Checking the protocol")):
        protocol_text: ProtocolText = app.checks.compute(_READER, text)
    st.session_state[_READ] = (text, protocol_text)
    return protocol_text


def _refill_editor(name: str, upload: Any) -> None:
    """Refill the editor if another preset or file has been chosen."""
    loaded = st.session_state.setdefault(_TOML_PRESET, {"preset": "", "file": ""})
    text = None
    if loaded["preset"] != name:
        text, loaded["preset"] = preset_toml(name), name
    if upload is not None and loaded["file"] != upload.file_id:
        try:
            text, loaded["file"] = upload.getvalue().decode("utf-8-sig"), upload.file_id
        except UnicodeDecodeError:
            st.error(gettext("The file is not UTF-8. Save it as UTF-8."))
            return
    if text is None and _TOML not in st.session_state:
        text = st.session_state.get(_TOML_DRAFT, preset_toml(name))
    if text is not None:
        st.session_state[_TOML] = text.replace("\r\n", "\n").replace("\0", "\ufffd")
