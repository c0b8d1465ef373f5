"""Edits the labels of boxes, as a table in the form for a new campaign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.box_labels import label_changes
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.sections import BoxLabel
from pagetrail.app.admin.campaigns.draft import draft_values
from pagetrail.app.ui.kept_table import editable_table
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.page import lazy_expander

_COLUMNS = ("name", "key", "help")


def edit_box_labels(protocol: Protocol, prefix: str) -> dict[str, Any]:
    """Show the table; returns the changed settings by dotted key.

    Args:
        prefix: starts the widget's key; must differ between protocols.
    """
    draft = draft_values(f"{prefix}-labels")
    rows = [label.model_dump() for label in protocol.boxes.labels]
    with lazy_expander(
        gettext("Box labels"), "new-box-labels", ":material/crop_square:"
    ) as is_open:
        if is_open:
            st.caption(
                gettext(
                    "What annotators can say a box shows. Click a cell to change it, the last "
                    "row to add a label; select a row to delete it. Labels are fixed once the "
                    "campaign is created."
                )
            )
            draft["rows"] = _filled_rows(
                editable_table(draft, _frame(rows), f"{prefix}-box-labels", _column_config())
            )
            for spec in protocol.fields:
                if spec.matches_boxes:
                    st.caption(
                        literal(
                            gettext(
                                "The options of “{label}” follow these labels.", label=spec.label
                            )
                        )
                    )
    entered = draft.get("rows", [_plain(row) for row in rows])
    st.caption(literal(_labels_sentence([row["name"] for row in entered])))
    if entered == [_plain(row) for row in rows]:
        return {}
    return _changes(protocol, entered)


def _changes(protocol: Protocol, entered: Sequence[dict[str, str]]) -> dict[str, Any]:
    """The changed settings; raw rows if invalid, so that the protocol's own check reports why."""
    try:
        labels = [BoxLabel(**{**row, "key": row["key"] or None}) for row in entered]
    except ValueError:
        return {"boxes.labels": [{**row, "key": row["key"] or None} for row in entered]}
    return label_changes(protocol, labels)


def _labels_sentence(names: Sequence[str]) -> str:
    return (
        gettext("Boxes are labelled {names}.", names=", ".join(filter(None, names)))
        if names
        else gettext("No labels yet.")
    )


def _frame(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    plain = [_plain(row) for row in rows]
    return pd.DataFrame(
        {column: pd.Series([row[column] for row in plain], dtype="string") for column in _COLUMNS}
    )


def _filled_rows(table: pd.DataFrame) -> list[dict[str, str]]:
    """Rows that are not empty."""
    rows = [_plain(row) for row in table.to_dict("records")]
    return [row for row in rows if any(row.values())]


def _plain(row: dict[str, Any]) -> dict[str, str]:
    return {
        column: value.strip() if isinstance(value := row.get(column), str) else ""
        for column in _COLUMNS
    }


def _column_config() -> dict[str, Any]:
    return {
        "name": st.column_config.TextColumn(
            gettext("Label"),
            required=True,
            max_chars=60,
            help=gettext("As shown, stored and exported."),
        ),
        "key": st.column_config.TextColumn(
            gettext("Shortcut"),
            width="small",
            max_chars=1,
            help=gettext("A letter or digit. Empty: the first nine labels without one get 1 to 9."),
        ),
        "help": st.column_config.TextColumn(
            gettext("What it means"),
            width="large",
            max_chars=1_000,
            help=gettext("Shown when the pointer is over the label."),
        ),
    }
