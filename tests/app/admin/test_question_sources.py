"""Questions for a campaign: the template of a spreadsheet, and typed rows."""

from __future__ import annotations

from pathlib import Path

from pagetrail.annotation.protocols.protocol import preset
from pagetrail.app.admin.campaigns.question_sources import (
    TypedQuestions,
    filled_rows,
    question_columns,
    sample_row,
)
from pagetrail.exports.writing.spreadsheet_csv import spreadsheet_csv
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.storage.search.generated_corpus import pages, register


def test_the_template_and_typed_rows_can_be_imported(workspace: Workspace, tmp_path: Path) -> None:
    """For presets that take plain questions; empty rows of the table are left out."""
    register(workspace, pages(3))
    name = pages(3)[0][0]
    for preset_name in ("search", "oracle", "relevance", "author"):
        columns = question_columns(preset(preset_name))
        file = tmp_path / f"{preset_name}.csv"
        file.write_bytes(spreadsheet_csv(columns, [sample_row(columns, [name])]))
        assert (
            import_tasks(workspace, file, campaign=preset_name, protocol=preset_name).imported == 1
        ), preset_name
    rows = filled_rows([{"question": " Who? ", "answer": ""}, {"question": None}, {}])
    assert rows == [{"question": "Who?"}]
    typed = tmp_path / TypedQuestions(rows).name
    typed.write_bytes(TypedQuestions(rows).getvalue())
    assert import_tasks(workspace, typed, campaign="typed").imported == 1
