"""Columns of measures of texts, tables and charts, between people and against gold."""

from __future__ import annotations

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.exports.reports.model import Column

TRANSCRIPTION_COLUMNS = {
    "character_error_rate": Column(
        "character_error_rate",
        "Character error rate",
        "score",
        "Edits between the two texts, by the code points of the longer one. 0 is agreement.",
    ),
    "word_error_rate": Column(
        "word_error_rate",
        "Word error rate",
        "score",
        "Edits between the two texts, by the words of the longer one. 0 is agreement.",
    ),
    "table_record_match": Column(
        "table_record_match",
        "TableRecordMatch",
        "score",
        "Similarity of the tables' records (Zhang et al. 2026); headers count, order does not.",
    ),
    "cell_f1": Column(
        "cell_f1",
        "Cell F1",
        "score",
        "F1 of cells with the same header and value in matched records.",
    ),
    "grits": Column(
        "grits",
        "GriTS",
        "score",
        "Similarity of the tables' cells by position (Smock et al. 2022).",
    ),
    "point_f1": Column(
        "point_f1",
        "Points F1",
        "score",
        "F1 of points of charts with the same labels and values within tolerance.",
    ),
    "label_f1": Column(
        "label_f1",
        "Labels F1",
        "score",
        "F1 of points of charts with the same labels, whatever their values.",
    ),
}
"""By measure, in the order of the tables."""

TEXT_NOTE = lazy_gettext(
    "Texts are compared in Unicode’s form NFC, with white space as single spaces; case, "
    "punctuation and Markdown count. In scripts without spaces only the character error rate says "
    "anything."
)
"""How texts are compared."""
