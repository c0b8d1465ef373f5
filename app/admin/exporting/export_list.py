"""The finished exports: contents, download, deletion."""

from __future__ import annotations

from urllib.parse import quote

import streamlit as st

from pagetrail.app.admin.actions import act, ask, asked, confirm
from pagetrail.app.services.addresses import PREFIX
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number, format_time
from pagetrail.exports.writing.export_list import (
    FinishedExport,
    Unfinished,
    remove_unfinished,
    unfinished,
)
from pagetrail.exports.writing.left_out import left_out_words
from pagetrail.exports.writing.stored_exports import all_finished, remove
from pagetrail.storage.people.accounts import Person, audit

_UNITS = ("B", "kB", "MB", "GB")


def export_list(app: Services, person: Person, *, going: bool) -> None:
    """Draw the list, the latest first, with unfinished exports below it."""
    st.header("Finished exports", anchor=False)
    lying = all_finished(app.workspace)
    if not lying:
        st.caption("There are no exports yet. Choose formats and press Export.")
    token = oversight_token(app, person)
    for export in lying:
        _export(export, token)
    # While an export is being written its folder looks like an unfinished one.
    for left in [] if going else unfinished(app.workspace.exports_dir):
        _unfinished(left)
    _remove_dialog(lying)
    _remove_unfinished_dialog()


def size_words(size: int) -> str:
    """A size in bytes in three digits with its unit, such as ``1.4 MB``."""
    number = float(size)
    for unit in _UNITS:
        if number < 1000 or unit == _UNITS[-1]:
            break
        number /= 1000
    return f"{number:.0f} {unit}" if unit == "B" or number >= 100 else f"{number:.3g} {unit}"


def _export(export: FinishedExport, token: str) -> None:
    with st.container(border=True, key=f"export-{export.name}"):
        files = "1 file" if export.files == 1 else f"{format_number(export.files)} files"
        st.markdown(f"**{literal(f'{export.campaign} · {export.format}')}**")
        st.caption(
            literal(
                f"{format_time(export.written_at)} · {files}, {size_words(export.bytes)}"
                f"{' · with the gold decided in review' if export.by_gold else ''}"
                f"{f' · {export.submission} submissions' if export.submission else ''}"
                f"{' · only answers to judge' if export.undecided else ''}"
                f"{' · with originals' if export.originals else ''}"
                f"{' · with names' if export.identified else ''} · folder {export.name}"
            )
        )
        if export.left_out:
            words = map(left_out_words, export.left_out)
            st.caption(literal(" · ".join(["Left out", *words])))
        with st.container(horizontal=True, gap="small"):
            st.link_button(
                "Download zip",
                f"{PREFIX}/exports/{quote(export.name, safe='')}.zip?v={quote(token)}",
                icon=":material/download:",
            )
            st.button(
                "Delete…",
                key=f"delete-{export.name}",
                icon=":material/delete:",
                on_click=ask,
                args=("delete_export", export.name),
            )


def _unfinished(left: Unfinished) -> None:
    with st.container(border=True):
        st.markdown(f"**{literal(left.name)}**")
        st.caption(
            f"Incomplete, last written {format_time(left.changed_at)}. An export was "
            "interrupted, or a command is writing it right now."
        )
        st.button(
            "Remove…",
            key=f"remove-{left.name}",
            on_click=ask,
            args=("remove_unfinished", left.name),
        )


def _remove_dialog(lying: list[FinishedExport]) -> None:
    open_ = asked("delete_export")
    if open_ is None:
        return
    export = next((e for e in lying if e.name == open_.about), None)
    if export is None:
        return
    confirm(
        open_,
        "Delete this export?",
        [
            f"The folder {export.name} with {size_words(export.bytes)} will be removed from the "
            "server. The campaign is not affected and can be exported again."
        ],
        "Delete",
        "delete",
        _do_remove,
        export.name,
    )


def _remove_unfinished_dialog() -> None:
    open_ = asked("remove_unfinished")
    if open_ is None:
        return
    confirm(
        open_,
        "Remove the unfinished export?",
        [
            f"{open_.about} will be removed from the server. If a command is writing it right now, "
            "that command will fail."
        ],
        "Remove",
        "remove",
        _do_remove_unfinished,
        open_.about,
    )


def _do_remove(name: str) -> None:
    def do(app: Services, person: Person) -> str:
        remove(app.workspace, name)
        audit(app.workspace, person.name, "export_deleted", name)
        return f"{name} is deleted."

    act("delete export", do)


def _do_remove_unfinished(name: str) -> None:
    def do(app: Services, person: Person) -> str:
        remove_unfinished(app.workspace.exports_dir, name)
        audit(app.workspace, person.name, "export_leftover_removed", name)
        return f"{name} is removed."

    act("remove leftover", do)
