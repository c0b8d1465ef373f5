"""The protocol of a new campaign: a preset or a TOML file, and its settings."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from typing import Any

import streamlit as st

from pagetrail.annotation.errors import PagetrailError, ProtocolError
from pagetrail.annotation.protocols.lint import lint
from pagetrail.annotation.protocols.protocol import Protocol, override, parse, preset, preset_names
from pagetrail.annotation.protocols.text import overview
from pagetrail.app.admin.campaigns.settings_form import settings_form
from pagetrail.app.ui.local_time import grouped
from pagetrail.app.ui.markdown_escape import literal

MAX_TOML = 100_000
FOR_NEW = {"study.guidelines_first": True}
"""Settings of campaigns made from a preset here; presets leave them off."""
_TOML = "new-toml"
_TAKEN = "new-toml-taken"
_KEPT = "new-toml-kept"


def choose_protocol(pilots: list[str], campaigns: list[str]) -> Protocol | None:
    """Draw the choice; None while it has errors, which are shown."""
    names = preset_names()
    which, own = st.columns([5, 3], vertical_alignment="bottom")
    name = which.selectbox(
        "Preset",
        names,
        index=names.index("search"),
        format_func=lambda name: f"{name} – {preset(name).title}",
        key="new-preset",
    )
    in_toml = own.toggle(
        "Edit as TOML",
        key="new-as-toml",
        help="To change fields, labels, material and conditions, or to use your own file.",
    )
    base = _own(name) if in_toml else override(preset(name), FOR_NEW)
    if base is None:
        return None
    # Another protocol gets other widgets, so that no value is carried over.
    prefix = f"set-{sha256(base.model_dump_json().encode()).hexdigest()[:12]}"
    changes = settings_form(base, prefix, pilots, campaigns)
    try:
        protocol = override(base, changes)
    except ProtocolError as error:
        st.error(literal(error.message))
        return None
    with st.expander("What annotators are asked", icon=":material/visibility:"):
        st.code(overview(protocol), language=None, wrap_lines=True)
    return protocol


def preset_toml(name: str) -> str:
    """The TOML text of a preset."""
    return (files("pagetrail.annotation.protocols") / "presets" / f"{name}.toml").read_text(
        encoding="utf-8"
    )


def problems_of(text: str) -> list[tuple[int | None, str, str]]:
    """Line, key and message of every error in a TOML text."""
    if len(text) > MAX_TOML:
        return [(None, "", f"The text has more than {grouped(MAX_TOML)} characters.")]
    try:
        return [(problem.line, problem.key, problem.message) for problem in lint(text)]
    except RecursionError:
        return [(None, "", "Its lists or tables are nested too deeply.")]


def _own(name: str) -> Protocol | None:
    sent = st.file_uploader(
        "Your own TOML file", type=["toml"], key="new-toml-file", max_upload_size=1
    )
    _take_over(name, sent)
    text = st.text_area(
        "Protocol in TOML",
        key=_TOML,
        height=320,
        max_chars=MAX_TOML,
        help="Checked when you leave the box or press Ctrl+Enter. Every key is described in "
        "docs/protocols.md.",
    )
    # A widget loses its value while it is not on the screen.
    st.session_state[_KEPT] = text or ""
    wrong = problems_of(text or "")
    if not wrong:
        try:
            protocol = parse(text or "", source="The protocol")
        except PagetrailError as error:
            st.error(literal(error.message))
            return None
        st.caption("This protocol is valid.")
        return protocol
    st.error(f"This protocol has {len(wrong)} problem{'' if len(wrong) == 1 else 's'}.")
    for line, key, message in wrong[:20]:
        where = ", ".join(filter(None, [f"line {line}" if line else "", key]))
        st.markdown(literal(f"{where}: {message}" if where else message))
    return None


def _take_over(name: str, sent: Any) -> None:
    """Refill the box when another preset or file is chosen, not before."""
    taken = st.session_state.setdefault(_TAKEN, {"preset": "", "file": ""})
    text = None
    if taken["preset"] != name:
        text, taken["preset"] = preset_toml(name), name
    if sent is not None and taken["file"] != sent.file_id:
        try:
            text, taken["file"] = sent.getvalue().decode("utf-8-sig"), sent.file_id
        except UnicodeDecodeError:
            st.error("The file is not UTF-8. Save it as UTF-8.")
            return
    if text is None and _TOML not in st.session_state:
        text = st.session_state.get(_KEPT, preset_toml(name))
    if text is not None:
        st.session_state[_TOML] = text.replace("\r\n", "\n").replace("\0", "\ufffd")
