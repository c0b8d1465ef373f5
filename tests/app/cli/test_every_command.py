"""Everything of ``pagetrail`` runs once: each command and each option of ``serve``."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest
from typer.testing import CliRunner

from pagetrail.app.cli.main import COMMANDS, app, load
from tests.deploy.servers import answers
from tests.e2e.support import small_workspace
from tests.e2e.support.server_process import ServerProcess

LINES = """
init other
ingest ws more.pdf --ocr never
replace-document ws more.pdf --document more.pdf --ocr never
remove-document ws more.pdf
ingest ws more.pdf --ocr never
index ws
search ws otters --top-k 2 --json
download links.jsonl --to downloaded
protocol list
protocol show search
protocol check protocol.toml
campaigns ws
campaign ws create Smoke tasks.jsonl
import-tasks ws more.jsonl --campaign Smoke
import-elements ws 'otter study.json' --campaign Layout
sample ws --from Otters --n 1 --into Drawn
import-boxes ws empty.jsonl --campaign Otters --system boxer
import-run ws run.jsonl --campaign Otters --system agent
import-verdicts ws verdicts.csv --campaign Otters --name judge
import-drafts ws empty.jsonl --campaign Otters --model drafter
import-patches ws empty.jsonl --campaign Otters --model scribe
import-tables ws empty.jsonl --campaign Otters --model grid
prices ws
users ws add Ada --role annotator
users ws list --json
users ws password Ada
users ws deactivate Ada
users ws activate Ada
users ws role Ada supervisor
users ws sign-ins Ada
users ws profile alma --language de --group north
users ws invite --for Ada
users ws invitations --json
users ws withdraw-invitation 1
users ws hours --campaign Otters
users ws rate Otters 15.50 --per hour --currency EUR
users ws rename Ada Grace
users ws anonymise Grace --yes
users ws mapping mapping.csv
users ws add-many team.txt
users ws audit
remind ws --address https://annotate.example.org
batches ws list --campaign Otters
assign ws --campaign Smoke --annotator alma
batches ws take-back Aquarius alma --campaign Smoke
batches ws give Aquarius alma --campaign Smoke
batches ws move Aquarius alma bruno --campaign Smoke
batches ws give-task s1 alma --campaign Smoke
batches ws rebalance --campaign Smoke --yes
batches ws priority Aquarius 10 --campaign Smoke
batches ws due Aquarius 2030-12-01 --campaign Smoke
campaign ws guidelines Smoke --from guidelines.md
campaign ws settings Smoke --set overlap=3
campaign ws copy-gold Otters --to Experts
campaign ws close Smoke
campaign ws reopen Smoke
pilot ws --campaign Otters
review ws --campaign Otters
export ws --campaign Otters --format madqa --out exported
agreement ws --campaign Otters
metrics ws --campaign Otters
quality ws --campaign Otters
suspects ws --campaign Otters
rounds ws --campaign Otters
drafts ws --campaign Otters
recheck ws
report ws --paper madqa --campaign Otters --out reported
replay ws --list
rebuild ws --check
verify ws
withdraw-run ws agent --campaign Otters --reason trial
exclude-tasks ws s1 --campaign Smoke --reason trial
campaign ws archive Layout
backup ws backup.tar
restore backup.tar restored
files ws --to folder
move ws --to folder
mcp ws --campaign Nowhere --system agent
serve ws --workers 2
"""
"""In an order in which each has what it needs, in a folder with the workspace ``ws``."""

REFUSALS = {
    ("download",): "private network",
    ("sample",): "nothing to draw from",
    ("import-boxes",): "asks for no boxes",
    ("import-drafts",): "is empty",
    ("import-patches",): "no text to correct",
    ("import-tables",): "no tables to verify",
    ("remind",): "No mail server",
    ("campaign", "copy-gold"): "nothing to copy",
    ("campaign", "archive"): "has open work",
    ("pilot",): "is not a pilot",
    ("files",): "in its folder already",
    ("move",): "in its folder already",
    ("mcp",): "Nowhere",
    ("serve",): "docs/operations.md",
}
"""What commands say to which this folder gives nothing to do; tests of their own give them more."""

RUN_ELSEWHERE = {("demo",): "tests/app/test_demo.py"}
"""It takes a minute."""


def command_names() -> Iterator[tuple[str, ...]]:
    """Every command of the parser, with the commands of groups."""
    for name in COMMANDS:
        subcommands = getattr(load(name), "commands", {})
        yield from ((name, subcommand) for subcommand in subcommands) if subcommands else [(name,)]


def command_name(line: str) -> tuple[str, ...]:
    """The command of a line, without its workspace."""
    words = shlex.split(line)
    if words[0] in ("users", "batches", "campaign"):
        return words[0], words[2]
    return tuple(words[: 2 if words[0] == "protocol" else 1])


def test_every_command_has_a_line() -> None:
    """A new command needs one."""
    names = {command_name(line) for line in LINES.strip().splitlines()}
    assert names | RUN_ELSEWHERE.keys() == set(command_names())


def write_files(folder: Path) -> None:
    """What the lines read."""
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "more otters")
    document.save(folder / "more.pdf")
    texts = {
        "empty.jsonl": "",
        "links.jsonl": json.dumps({"document": "x.pdf", "url": "http://127.0.0.1:9/x.pdf"}),
        "tasks.jsonl": '{"id": "s1", "question": "How many?"}\n{"id": "s2", "question": "Who?"}\n',
        "more.jsonl": '{"id": "s3", "question": "Where?"}\n',
        "run.jsonl": json.dumps({"id": "q1", "answer": ["42"], "citations": []}),
        "verdicts.csv": "task,system,verdict\nq1,agent,correct\n",
        "team.txt": "Linus\n",
        "guidelines.md": "# Read first\n",
        "protocol.toml": 'name = "mine"\ntitle = "Mine"\n',
        "otter study.json": json.dumps(
            {"test_rules": [{"type": "layout", "id": "a", "page": 1, "bbox": [0, 0, 0.5, 0.5],
                             "canonical_class": "Title"}]}
        ),
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def test_every_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends well, or refuses with a sentence where the folder gives it nothing to do."""
    small_workspace.build(tmp_path).engine.dispose()
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PAGETRAIL_SMTP_HOST", raising=False)
    problems = []
    for line in LINES.strip().splitlines():
        result = CliRunner().invoke(app, shlex.split(line), input="otters swim\notters swim\n")
        refusal = REFUSALS.get(command_name(line))
        message = f"{getattr(result.exception, 'message', result.exception)} {result.stderr}"
        is_right = result.exit_code == 0 if refusal is None else result.exit_code == 1
        if not is_right or (refusal or "") not in message:
            problems.append(f"{line}: {message}")
    assert not problems, "\n".join(problems)


def test_every_option_of_serve_starts(tmp_path: Path) -> None:
    """All of them together; the one that is gone, ``--workers``, is among the commands."""
    options = ["--host", "127.0.0.1", "--cache-limit", "0.1", "--trusted-proxy", "127.0.0.1"]
    options += ["--base-path", "/lab", "--log-format", "json"]
    parameters = load("serve").params
    names = {name for option in parameters for name in (*option.opts, *option.secondary_opts)}
    others = {"--port", "--tour", "--no-tour", "--workers"}
    assert names - {"workspace", "--help"} == {*options[::2], *others}
    small_workspace.collection(tmp_path).engine.dispose()
    for tour in (True, False):
        with ServerProcess(tmp_path / "ws", options=options, tour=tour) as server:
            assert answers(server.port, "/readyz") and answers(server.port, "/lab/pagetrail/login")
