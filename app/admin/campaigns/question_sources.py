"""Questions of a campaign: uploaded files, or a table to type them into."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.app.admin.campaigns.draft import draft_values
from pagetrail.app.admin.campaigns.sent_files import TASK_TYPES
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.kept_table import editable_table
from pagetrail.app.ui.notation import format_count
from pagetrail.app.ui.page import lazy_expander
from pagetrail.exports.writing.spreadsheet_csv import spreadsheet_csv
from pagetrail.storage.importers.tasks.campaign_import import needs_predictions

TYPED_NAME = "typed.jsonl"
_MAX_LISTED_DOCUMENTS = 500
"""With more documents, names are typed instead of chosen from a list."""
_LABELS = {
    "question": N_("Question"),
    "answer": N_("Answer"),
    "evidence_document": N_("Answer is in"),
    "evidence_page": N_("on page"),
    "candidate_document": N_("Document"),
    "candidate_page": N_("Pages"),
}


@dataclass(frozen=True)
class TypedQuestions:
    """Typed rows, with the interface of an uploaded file."""

    rows: Sequence[dict[str, str]]
    name: str = TYPED_NAME

    def getvalue(self) -> bytes:
        """JSON Lines."""
        return "\n".join(json.dumps(row) for row in self.rows).encode()

    @property
    def file_id(self) -> str:
        """Changes with the rows."""
        return sha256(self.getvalue()).hexdigest()


def question_sources(app: Services, protocol: Protocol | None, key: str) -> list[Any]:
    """Show both; returns the uploaded files and, if there are any, the typed questions.

    Args:
        key: key of the uploader, and prefix of the other widgets' keys.
    """
    st.subheader(gettext("Questions"), anchor=False)
    files = st.file_uploader(
        gettext("Task files"),
        type=TASK_TYPES,
        accept_multiple_files=True,
        key=key,
        help=gettext(
            "One task per line or row. Only the question is needed; ids are made from the rows "
            "where a file has none. A zip holds queries with judged pages: BEIR, TREC or "
            "ViDoRe."
        ),
    )
    if protocol is None:
        return list(files)
    names = list(app.corpus.names())
    columns = question_columns(protocol)
    caption, template = st.columns([6, 3], vertical_alignment="center")
    caption.caption(
        gettext("Excel, CSV, JSONL, JSON or Parquet. In a spreadsheet, start from the template.")
    )
    template.download_button(
        gettext("Template (CSV)"),
        partial(spreadsheet_csv, columns, [sample_row(columns, names)]),
        file_name="questions.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key=f"{key}-template",
        width="stretch",
    )
    if needs_predictions(protocol):
        return list(files)
    typed = _typed_questions(columns, names, f"{key}-typed")
    return [*files, *([TypedQuestions(typed)] if typed else [])]


def question_columns(protocol: Protocol) -> tuple[str, ...]:
    """Spreadsheet columns of a question under this protocol."""
    pages = ("candidate_document", "candidate_page") if protocol.pages == "given" else ()
    return ("question", *pages, "answer", "evidence_document", "evidence_page")


def sample_row(columns: Sequence[str], documents: Sequence[str]) -> list[str]:
    """An example row, with the name of an existing document."""
    name = documents[0] if documents else "report.pdf"
    values = {
        "question": "What was the revenue in 2017? (Put your questions in place of this row.)",
        "answer": "177.9 billion dollars",
        "evidence_document": name,
        "evidence_page": "1",
        "candidate_document": name,
        "candidate_page": "1",
    }
    return [values[column] for column in columns]


def filled_rows(rows: Sequence[dict[str, Any]]) -> list[dict[str, str]]:
    """Typed rows without empty cells and empty rows."""
    stripped = [
        {name: cell.strip() for name, cell in row.items() if isinstance(cell, str) and cell.strip()}
        for row in rows
    ]
    return [row for row in stripped if row]


def _typed_questions(
    columns: Sequence[str], names: Sequence[str], key: str
) -> list[dict[str, str]]:
    """Show the table if unfolded; returns what was typed even while it is folded."""
    widget = f"{key}-{'-'.join(columns)}"
    draft = draft_values(widget)
    with lazy_expander(
        gettext("Or type questions here"), f"{key}-folded", ":material/edit:"
    ) as is_open:
        if is_open:
            st.caption(
                gettext(
                    "One question per row; rows copied from a spreadsheet can be pasted. Answer "
                    "and page may stay empty: they are the gold, which annotators do not see."
                )
            )
            table = editable_table(
                draft,
                pd.DataFrame({column: pd.Series([""] * 3, dtype="string") for column in columns}),
                widget,
                {column: _column(column, names) for column in columns},
            )
            draft["typed"] = filled_rows(table.to_dict("records"))
    typed: list[dict[str, str]] = draft.get("typed", [])
    if typed and not is_open:
        st.caption(
            format_count("{number} typed question.", "{number} typed questions.", len(typed))
        )
    return typed


def _column(column: str, names: Sequence[str]) -> Any:
    label = gettext(_LABELS[column])
    if column.endswith("_document") and len(names) <= _MAX_LISTED_DOCUMENTS:
        return st.column_config.SelectboxColumn(label, options=list(names))
    if column.endswith("_page"):
        return st.column_config.TextColumn(
            label, width="small", help=gettext("One page, several or a range: 3, 3; 5 or 3-7")
        )
    return st.column_config.TextColumn(label, width="large" if column == "question" else None)
