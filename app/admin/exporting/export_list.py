"""The finished exports: contents, download, deletion."""

from __future__ import annotations

from urllib.parse import quote

import streamlit as st

from pagetrail.annotation.messages import gettext, translate
from pagetrail.app.admin.actions import (
    current_dialog,
    dialog_button,
    run_supervisor_action,
    show_confirmation,
)
from pagetrail.app.services.addresses import PREFIX
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_count, format_time
from pagetrail.exports.writing.export_list import (
    FinishedExport,
    UnfinishedExport,
    remove_unfinished,
    unfinished_exports,
)
from pagetrail.exports.writing.left_out import left_out_words
from pagetrail.exports.writing.stored_exports import all_finished, remove_export
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit

_UNITS = ("B", "kB", "MB", "GB")


def export_list(app: Services, person: Person) -> None:
    """Show the list, the latest first, with unfinished exports below it."""
    st.header(gettext("Finished exports"), anchor=False)
    exports = all_finished(app.workspace)
    if not exports:
        st.caption(gettext("There are no exports yet. Choose formats and press Export."))
    token = oversight_token(app, person)
    for export in exports:
        _export(export, token)
    for folder in unfinished_exports(app.workspace.exports_dir):
        _unfinished(folder)
    _remove_dialog(exports)
    _remove_unfinished_dialog()


def size_words(size: int) -> str:
    """A size in bytes, with three digits and a unit, such as ``1.4 MB``."""
    number = float(size)
    for unit in _UNITS:
        if number < 1000 or unit == _UNITS[-1]:
            break
        number /= 1000
    return f"{number:.0f} {unit}" if unit == "B" or number >= 100 else f"{number:.3g} {unit}"


def _export(export: FinishedExport, token: str) -> None:
    with st.container(border=True, key=f"export-{export.name}"):
        st.markdown(f"**{literal(f'{export.campaign} · {export.format}')}**")
        st.caption(literal(" · ".join(_details(export))))
        if export.left_out:
            words = [translate(left_out_words(entry)) for entry in export.left_out]
            st.caption(literal(" · ".join([gettext("Left out"), *words])))
        with st.container(horizontal=True, gap="small"):
            st.link_button(
                gettext("Download zip"),
                f"{PREFIX}/exports/{quote(export.name, safe='')}.zip?v={quote(token)}",
                icon=":material/download:",
            )
            dialog_button(
                gettext("Delete…"),
                f"delete-{export.name}",
                "delete_export",
                export.name,
                icon=":material/delete:",
            )


def _details(export: FinishedExport) -> list[str]:
    """When it was written, its size and its options."""
    details = [
        format_time(export.written_at),
        format_count(
            "{number} file, {size}",
            "{number} files, {size}",
            export.files,
            size=size_words(export.bytes),
        ),
    ]
    if export.by_gold:
        details.append(gettext("with the gold decided in review"))
    if export.submission:
        details.append(gettext("{version} submissions", version=export.submission))
    if export.undecided:
        details.append(gettext("only answers to judge"))
    if export.originals:
        details.append(gettext("with originals"))
    if export.identified:
        details.append(gettext("with names"))
    return [*details, gettext("folder {name}", name=export.name)]


def _unfinished(folder: UnfinishedExport) -> None:
    with st.container(border=True):
        st.markdown(f"**{literal(folder.name)}**")
        st.caption(
            gettext(
                "Incomplete, last written {changed_at}. An export was interrupted.",
                changed_at=format_time(folder.changed_at),
            )
        )
        dialog_button(gettext("Remove…"), f"remove-{folder.name}", "remove_unfinished", folder.name)


def _remove_dialog(exports: list[FinishedExport]) -> None:
    state = current_dialog("delete_export")
    if state is None:
        return
    export = next((e for e in exports if e.name == state.subject), None)
    if export is None:
        return
    show_confirmation(
        state,
        gettext("Delete this export?"),
        [
            gettext(
                "The folder {export} with {bytes} will be removed from the server. The "
                "campaign is not affected and can be exported again.",
                export=export.name,
                bytes=size_words(export.bytes),
            )
        ],
        gettext("Delete"),
        "delete",
        _remove,
        export.name,
    )


def _remove_unfinished_dialog() -> None:
    state = current_dialog("remove_unfinished")
    if state is None:
        return
    show_confirmation(
        state,
        gettext("Remove the unfinished export?"),
        [gettext("{subject} will be removed from the server.", subject=state.subject)],
        gettext("Remove"),
        "remove",
        _remove_unfinished,
        state.subject,
    )


def _remove(name: str) -> None:
    def act(app: Services, person: Person) -> str:
        remove_export(app.workspace, name)
        audit(app.workspace, person, "export_deleted", name)
        return gettext("{name} is deleted.", name=name)

    run_supervisor_action("delete export", act)


def _remove_unfinished(name: str) -> None:
    def act(app: Services, person: Person) -> str:
        remove_unfinished(app.workspace.exports_dir, name)
        audit(app.workspace, person, "export_leftover_removed", name)
        return gettext("{name} is removed.", name=name)

    run_supervisor_action("remove leftover", act)
