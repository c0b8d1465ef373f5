"""Every place that parses text or files is known, with the reason why it holds up nobody."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from pagetrail.app.routes.common import MAX_BODY
from tests.attacks import source_calls

PARSERS = {
    *("json.loads", "json.load", "json.JSONDecoder", "tomllib.loads", "tomllib.load"),
    *("csv.reader", "csv.DictReader", "gzip.open", "gzip.decompress", "zlib.decompress"),
    *("zlib.decompressobj", "zipfile.ZipFile", "tarfile.open", "ast.literal_eval", "ast.parse"),
    *("pickle.loads", "pickle.load", "marshal.loads", "xml.etree.ElementTree.fromstring"),
    *("xml.etree.ElementTree.parse", "html.parser.HTMLParser", "markdown_it.MarkdownIt"),
    *("PIL.Image.open", "pymupdf.open", "eval", "exec", "compile", "email.message_from_bytes"),
    *("datetime.datetime.fromisoformat", "datetime.date.fromisoformat"),
    *("datetime.datetime.strptime", "numpy.load", "numpy.loadtxt", "numpy.genfromtxt"),
}
"""By their full names."""

METHODS = {"validate_json", "model_validate_json", "read_schema"}
"""Names that parse on whatever they are called."""

MODULES = ("pandas.read_", "pyarrow.parquet.", "pyarrow.csv.", "pyarrow.json.", "pyarrow.ipc.",
           "pyarrow.feather.", "pyarrow.orc.", "python_calamine.", "yaml.", "lxml.", "bs4.",
           "dateutil.", "whoosh.qparser.", "defusedxml.", "html5lib.", "openpyxl.",
           "xml.parsers.", "xml.sax.", "xml.dom.", "fitz.", "pypdf.")  # fmt: skip
"""Libraries whose functions parse, and beginnings of the names of functions that do."""

PATTERNS = {f"re.{name}" for name in ("compile", "match", "search", "fullmatch", "sub", "subn",
                                      "split", "findall", "finditer")}  # fmt: skip
"""Parsers where the pattern is no constant."""

NO_PARSER = {"python_calamine.CalamineError"}

TRUSTED = "reads what the program ships or has written itself"
STORED = "reads what was checked when it was stored"
WORKER = "runs in a worker process with a limit of time and memory"
COMMAND = "reads what whoever starts the program gives it"
LINEAR = "takes time in proportion to a text of bounded length"
SCANNED = "takes bounded time after a scan in linear time has refused what would take long"
ESCAPED = "the pattern is made of escaped or constant parts"

PARSER_CALLS = {
    TRUSTED: (
        "storage/attempts/run_originals.py zlib.decompressobj",
        "storage/corpus/recognised_words.py json.loads",
        "storage/database/location.py json.loads",
        "storage/files/bucket.py json.loads",
        "storage/importers/links/download.py json.loads",
        "storage/ingest/report.py json.loads",
        "storage/maintenance/backup.py tarfile.open",
        "storage/maintenance/serve_lock.py json.loads",
        "storage/maintenance/stored_files.py json.loads",
        "storage/people/confusable_names.py json.loads",
        "storage/progress/agreement_inputs.py json.loads",
        "storage/review/queue.py json.loads",
        "storage/review/rebuild.py json.loads",
        "storage/review/task_rows.py json.loads",
        "storage/search/arrays.py json.loads",
        "storage/search/arrays.py numpy.load",
        "storage/search/generations.py json.loads",
        "storage/search/generations.py tarfile.open",
        "storage/search/status.py json.loads",
        "storage/search/store.py json.loads",
        "storage/snapshot/result_cache.py zlib.decompress",
        "exports/frames.py pyarrow.parquet.read_table",
        "exports/frames.py json.loads",
        "exports/reading/task_results.py validate_json",
        "exports/reports/charts/drawing.py xml.etree.ElementTree.fromstring",
        "exports/reports/metrics/inspect_logs.py zipfile.ZipFile",
        "exports/reports/agreement/groups.py json.loads",
        "exports/reports/metrics/madqa_report.py json.loads",
        "exports/reports/resampling.py validate_json",
        "exports/writing/export_list.py json.loads",
        "exports/writing/export_list.py zipfile.ZipFile",
        "exports/writing/file_formats.py pyarrow.parquet.ParquetWriter",
        "exports/writing/output_folder.py json.loads",
        "exports/writing/spreadsheet_csv.py csv.reader",
        "exports/writing/stored_exports.py datetime.datetime.fromisoformat",
        "exports/writing/stored_exports.py zipfile.ZipFile",
        "app/routes/assets.py json.loads",
        "app/agents/payloads.py PIL.Image.open",
        "app/demo/agent_runs.py tomllib.loads",
        "app/demo/agent_runs.py datetime.datetime.fromisoformat",
        "app/demo/corpus.py json.loads",
        "app/practice/tasks.py json.loads",
        "app/server/application.py tomllib.loads",
        "app/services/source_code.py zipfile.ZipFile",
        "app/services/warm_up.py ast.parse",
    ),
    STORED: (
        "annotation/events/base.py validate_json",
        "annotation/progress/quality.py datetime.datetime.fromisoformat",
        "storage/attempts/stored_states.py model_validate_json",
        "storage/authoring/check_sources.py json.loads",
        "storage/authoring/question_counts.py json.loads",
        "storage/authoring/question_counts.py model_validate_json",
        "storage/database/json_cache.py json.loads",
        "storage/attempts/event_rows.py json.loads",
        "storage/attempts/stored_states.py json.loads",
        "storage/database/migrations/versions/0111_people_in_events.py json.loads",
        "storage/progress/dashboard.py datetime.datetime.fromisoformat",
        "storage/qualification/submissions.py model_validate_json",
        "exports/formats/tool_calls.py json.loads",
        "app/admin/batches/batch_view.py datetime.date.fromisoformat",
        "app/ui/notation.py datetime.date.fromisoformat",
        "app/ui/notation.py datetime.datetime.fromisoformat",
    ),
    WORKER: (
        "storage/corpus/pdf.py pymupdf.open",
        "storage/importers/files/table_rows.py pyarrow.parquet.ParquetFile",
        "storage/importers/files/workbook_parser.py python_calamine.CalamineWorkbook.from_path",
        "storage/importers/files/workbook_cells.py xml.parsers.expat.ParserCreate",
        "storage/importers/files/workbook_cells.py zipfile.ZipFile",
        "storage/importers/retrieval/corpora.py PIL.Image.open",
        "storage/importers/runs/langchain.py ast.literal_eval",
        "storage/search/engine.py whoosh.qparser.QueryParser",
        "storage/search/lexicon.py re.compile",
        "exports/formats/parsebench_text_rules.py markdown_it.MarkdownIt",
        "exports/writing/markdown_html.py markdown_it.MarkdownIt",
    ),
    COMMAND: (
        "storage/ingest/text_jsonl.py json.loads",
        "storage/ingest/text_jsonl.py gzip.open",
        "storage/maintenance/restore.py tarfile.open",
        "storage/maintenance/restore.py json.loads",
        "app/cli/campaigns/batches.py datetime.date.fromisoformat",
        "app/cli/options.py json.loads",
        "app/cli/workspaces/user_hours.py datetime.date.fromisoformat",
        "app/cli/workspaces/user_profiles.py datetime.date.fromisoformat",
    ),
    LINEAR: (
        "annotation/clock.py datetime.datetime.fromisoformat",
        "annotation/runs/timestamps.py datetime.datetime.fromisoformat",
        "storage/batches/reminders.py datetime.date.fromisoformat",
        "storage/importers/files/json_rows.py json.JSONDecoder",
        "storage/importers/verdicts/importer.py datetime.datetime.fromisoformat",
        "storage/importers/files/table_rows.py csv.reader",
        "storage/importers/files/zip_members.py zipfile.ZipFile",
        "storage/importers/preannotations/export_folders.py json.loads",
        "storage/people/absences.py datetime.date.fromisoformat",
        "app/admin/campaigns/task_list.py json.loads",
        "app/agents/mcp_tools.py json.loads",
        "app/pilots/gold_form.py json.loads",
        "app/routes/common.py json.loads",
    ),
    SCANNED: (
        "annotation/protocols/toml_text.py tomllib.loads",
        "app/ui/markdown_nodes.py markdown_it.MarkdownIt",
    ),
    ESCAPED: (
        "annotation/answers/dates.py re.compile",
        "annotation/answers/gold_kind.py re.compile",
        "annotation/answers/parsed_answer.py re.compile",
        "annotation/answers/parsed_answer.py re.search",
        "annotation/answers/periods.py re.compile",
        "annotation/answers/quantities.py re.compile",
        "annotation/authoring/giveaway.py re.finditer",
        "annotation/authoring/location_phrases.py re.compile",
        "annotation/authoring/tokens.py re.compile",
        "annotation/authoring/tokens.py re.sub",
        "annotation/extras.py re.compile",
        "annotation/normalised_text.py re.compile",
        "storage/database/migrations/versions/0110_people_in_audit.py re.compile",
        "storage/database/migrations/versions/0110_people_in_audit.py re.search",
        "storage/people/stored_names.py re.compile",
        "storage/review/hidden_names.py re.sub",
        "exports/formats/label_studio.py xml.sax.saxutils.quoteattr",
    ),
}
"""Module and parser by the reason why it is allowed there."""


def parser_calls(path: Path) -> Iterator[tuple[str, int]]:
    """The parsers that a module calls, with their lines."""
    for name, node in source_calls.calls(ast.parse(path.read_text(encoding="utf-8"))):
        is_pattern = name in PATTERNS and not isinstance(node.args[0], ast.Constant)
        is_library = name.startswith(MODULES) and name not in NO_PARSER
        if name in PARSERS or is_pattern or is_library:
            yield name, node.lineno
        elif name.rpartition(".")[2] in METHODS:
            yield name.rpartition(".")[2], node.lineno


def all_calls() -> dict[tuple[str, str], list[int]]:
    """(Module, parser) with its lines."""
    lines_by_call: dict[tuple[str, str], list[int]] = {}
    for path in source_calls.source_files():
        module = path.relative_to(source_calls.ROOT).as_posix()
        for name, line in parser_calls(path):
            lines_by_call.setdefault((module, name), []).append(line)
    return lines_by_call


def test_every_parser_is_known() -> None:
    """A new one needs a reason here: that it reads what the program wrote, runs in a worker with
    limits, or cannot take long. Text that a person supplies has no other place to be parsed."""
    known_calls = [
        tuple(entry.split(" ")) for entries in PARSER_CALLS.values() for entry in entries
    ]
    assert len(known_calls) == len(set(known_calls))
    lines = all_calls()
    new = {f"{path}:{lines[path, name]} {name}" for path, name in lines.keys() - set(known_calls)}
    removed_calls = set(known_calls) - lines.keys()
    assert not new, "parse this in a worker process, or say here why it holds up nobody"
    assert not removed_calls, "these may leave the list"


def test_a_parser_in_any_spelling_is_found(tmp_path: Path) -> None:
    """Imported as a module, by name, under another name, or called on an instance."""
    source = """
import json, re
import pandas as pd
import pyarrow.parquet as pq
from tomllib import loads as read
from yaml import safe_load
from lxml import etree
PATTERN = re.compile("a+")
def parse(text, model):
    re.search(text, "a"); re.sub("a", "b", text)
    return json.loads(text), pd.read_csv(text), pq.ParquetFile(text), read(text), eval(text), \\
        safe_load(text), etree.fromstring(text), model.model_validate_json(text)
"""
    path = tmp_path / "module.py"
    path.write_text(source, encoding="utf-8")
    assert {name for name, _ in parser_calls(path)} == {
        *("re.search", "json.loads", "pandas.read_csv", "pyarrow.parquet.ParquetFile"),
        *("tomllib.loads", "eval", "yaml.safe_load", "lxml.etree.fromstring"),
        "model_validate_json",
    }


def test_bodies_of_requests_are_short_before_they_are_parsed() -> None:
    """256 KiB of JSON, whatever is nested in it, are parsed in milliseconds."""
    assert MAX_BODY <= 256 * 1024
