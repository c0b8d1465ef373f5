"""``pagetrail ingest``: what people and scripts get to see."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path

import typer
from typer.testing import CliRunner

from pagetrail.app.cli.data import ingest
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from tests.storage.pdfs import make_pdf
from tests.support.function_process import start_function


def _app() -> typer.Typer:
    app = typer.Typer()
    app.callback()(lambda: None)  # with one command only, Typer would not expect its name
    ingest.register(app)
    return app


def _run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(_app(), ["ingest", *map(str, arguments)], env={"COLUMNS": "200"})
    return result.exit_code, result.stdout, result.stderr


def test_json_stands_alone_on_standard_output(workspace: Workspace, tmp_path: Path) -> None:
    """Scripts parse standard output; the table for people goes elsewhere. Each file is in exactly
    one list."""
    good = make_pdf(tmp_path / "good.pdf", ["one", "two"])
    copy = tmp_path / "copy.pdf"
    copy.write_bytes(good.read_bytes())
    (tmp_path / "bad.pdf").write_text("no")
    paths = [good, copy, tmp_path / "bad.pdf"]
    code, out, err = _run(workspace.root, *paths, "--json", "--ocr", "never")
    report = json.loads(out)
    assert code == 0
    assert [(e["file"], e["pages"]) for e in report["ingested"]] == [(str(good), 2)]
    assert [(e["file"], e["document"]) for e in report["duplicates"]] == [(str(copy), "good.pdf")]
    assert [e["file"] for e in report["failed"]] == [str(tmp_path / "bad.pdf")]
    assert "is not a PDF" in report["failed"][0]["reason"]
    assert "1 ingested (2 pages), 1 already exist, 1 failed." in err
    assert report["thumbnails"]["drawn"] == 2
    assert re.search(r"Thumbnails: 2 drawn in \d+ s, \d+\.\d KB per page\.", err)


def test_exit_codes(workspace: Workspace, tmp_path: Path) -> None:
    """1 when nothing of what was given is in the workspace, 0 otherwise."""
    (tmp_path / "bad.pdf").write_text("no")
    good = make_pdf(tmp_path / "good.pdf", ["one"])
    assert _run(workspace.root, tmp_path / "bad.pdf")[0] == 1
    assert _run(workspace.root, tmp_path / "bad.pdf", good)[0] == 0
    assert _run(workspace.root, tmp_path / "bad.pdf", good)[0] == 0


def test_markup_in_names_is_shown_not_obeyed(workspace: Workspace, tmp_path: Path) -> None:
    """A file name cannot colour or break the terminal."""
    (tmp_path / "[red]x\x1b[2J\n.pdf").write_text("no")
    _, out, err = _run(workspace.root, tmp_path)
    assert out == ""
    assert "[red]x\\x1b[2J\\n.pdf" in err
    assert "\x1b[2J" not in err


def test_help_names_codes_and_an_example() -> None:
    """The help tells the exit codes and shows a whole command."""
    text = " ".join(CliRunner().invoke(_app(), ["ingest", "--help"]).stdout.split())
    assert "Example: pagetrail ingest my-workspace" in text
    assert "130 after Ctrl-C" in text


def run_command(*arguments: str) -> None:
    """The command line; a run in the background hands an ignored Ctrl-C down to its processes."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _app()(arguments)


def test_ctrl_c_says_how_to_go_on(workspace: Workspace, tmp_path: Path) -> None:
    """Interrupted while it reads, the command reports what is pending, exits with 130, and leaves
    no copy behind."""
    document = make_pdf(tmp_path / "many" / "0.pdf", ["text " * 30] * 800)
    for n in range(1, 8):
        (tmp_path / "many" / f"{n}.pdf").write_bytes(document.read_bytes() + b"\n%%%d" % n)
    incoming = workspace.corpus_dir / "incoming"
    arguments = ["ingest", workspace.root, tmp_path / "many", "--json"]
    with start_function(run_command, *arguments, stderr=subprocess.PIPE) as run:
        while not (incoming.is_dir() and any(incoming.iterdir())):
            assert run.poll() is None
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()
    report = json.loads(out)
    assert run.returncode == 130
    assert "Interrupted. Run the same command again to continue." in err
    ingested, pending = len(report["ingested"]), len(report["pending"])
    assert pending > 0 and ingested + pending == 8
    assert len(Corpus(workspace).names()) == ingested
    assert not incoming.exists()
