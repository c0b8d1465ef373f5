"""Two people answer questions over the real library in real browsers; then the exports are checked.

    .venv/bin/python -m scripts.library_run LIBRARY

``LIBRARY`` has ``pdfs/`` and ``questions.jsonl``; a workspace is made of them and deleted at the
end. Each person signs in, takes a batch and answers: search, open, turn pages, cite, answer, reload
in the middle of the task, submit. A person who finds the gold's document reads its evidence page;
one who does not cites what was found, and questions without an answer are submitted as such. Then
MADQA results, trajectories and gold are exported and compared with the benchmark's rules
(docs/formats.md) and with the stored state. Results are printed as JSON; the exit code is 0 if
nothing is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, expect

from benchmarks.support import browser as open_browser
from pagetrail.annotation.events import Event
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.workspace import Workspace
from scripts.library_checks import check_gold, check_madqa, check_trajectories
from tests.e2e.support.browsers import SIZE
from tests.e2e.support.screen import PATIENCE_MS, Screen, Watch, of_type
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import PASSWORD

CAMPAIGN = "Library"
ANNOTATORS = ("ada", "grace")
SUPERVISOR = "sven"
MAX_SEARCHES = 4
_WORD = re.compile(r"[A-Za-z][A-Za-z-]{3,}|\d{4}")
_PLAIN = frozenset(
    word
    for line in (
        "what which where when does many much that this with from have been were their there list",
        "format please write down answer integer float figure table page paper according name",
        "names document report shown total number",
    )
    for word in line.split()
)
Shoot = Callable[[Screen, str], None]


@dataclass
class Reader:
    """One person at the screen, with the times measured."""

    name: str
    screen: Screen
    first_question_s: float = 0.0
    task_s: list[float] = field(default_factory=list)
    turns_ms: list[float] = field(default_factory=list)
    submitted: list[str] = field(default_factory=list)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path, help="a folder with pdfs/ and questions.jsonl")
    parser.add_argument("--tasks", type=int, default=10, help="tasks per person (default 10)")
    parser.add_argument("--shots", type=Path, help="folder for screenshots")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pagetrail-library-") as folder:
        return run(options.library, Path(folder) / "ws", options.tasks, options.shots)


def run(library: Path, root: Path, tasks: int, shots: Path | None) -> int:
    """Create the workspace, work in it, and check the exports; returns the exit code."""
    _pagetrail("init", str(root))
    _pagetrail("ingest", str(root), str(library / "pdfs"), "--ocr", "never")
    questions = library / "questions.jsonl"
    _set_up(root, questions)
    workspace = Workspace.open(root)
    log = SqlEventLog(workspace.engine)
    watch = Watch()
    started = time.monotonic()
    with ServerProcess(root) as server, open_browser() as browser:
        expect.set_options(timeout=PATIENCE_MS)
        readers = [
            _sign_in(browser, server, name, lambda a: list(log.events(a)), watch)
            for name in ANNOTATORS
        ]
        shoot = _shooter(shots)
        shoot(readers[0].screen, "batches")
        for reader in readers:
            _start(reader)
        for number in range(tasks):
            for reader in readers:
                answer_task(reader, workspace, number, shoot if reader is readers[0] else _no_shot)
        _supervise(browser, server, watch, log, readers[0].submitted[0], shoot)
    wrong = [*watch.unexpected, *_check_exports(root, workspace, questions, readers)]
    events = [e for reader in readers for a in reader.submitted for e in log.events(a)]
    print(json.dumps(_summary(readers, events, time.monotonic() - started) | {"wrong": wrong}))
    return 1 if wrong else 0


def _pagetrail(*arguments: str, expected: int = 0) -> str:
    """Run the command line; returns its standard output."""
    report = subprocess.run(
        [sys.executable, "-m", "pagetrail", *arguments],
        env={**os.environ, "PAGETRAIL_PASSWORD": PASSWORD},
        capture_output=True,
        text=True,
    )
    if report.returncode != expected:
        raise SystemExit(f"pagetrail {' '.join(arguments)}: {report.returncode}\n{report.stderr}")
    return report.stdout


def _set_up(root: Path, questions: Path) -> None:
    for name in (*ANNOTATORS, SUPERVISOR):
        role = "supervisor" if name == SUPERVISOR else "annotator"
        _pagetrail("users", str(root), "add", name, "--role", role)
    report = json.loads(
        _pagetrail(
            *("import-tasks", str(root), str(questions), "--campaign", CAMPAIGN),
            *("--protocol", "search", "--overlap", "2", "--json"),
        )
    )
    questions_count = sum(1 for line in questions.open(encoding="utf-8") if line.strip())
    if report["imported"] != questions_count or report["bad"]:
        raise SystemExit(f"{questions_count} questions, but the import says {report}")


def _sign_in(
    browser: Browser,
    server: ServerProcess,
    name: str,
    events: Callable[[str], list[Event]],
    watch: Watch,
) -> Reader:
    context = browser.new_context(viewport=SIZE)
    context.set_default_timeout(PATIENCE_MS)
    watch.context(context)
    screen = Screen(context.new_page(), server.url, events)
    screen.sign_in(name)
    expect(screen.page.get_by_role("heading", name="My batches")).to_be_visible()
    return Reader(name, screen)


def _start(reader: Reader) -> None:
    started = time.monotonic()
    reader.screen.page.get_by_role("button", name=re.compile("Start|Continue")).first.click()
    reader.screen.wait_until_ready()
    reader.first_question_s = time.monotonic() - started


def answer_task(reader: Reader, workspace: Workspace, number: int, shoot: Shoot) -> None:
    """Answer the task on screen and wait for the next."""
    screen = reader.screen
    attempt = screen.attempt
    record = queries.attempt(workspace.engine, attempt).record
    gold = [(e["document"], e["page"]) for e in record.get("evidence") or []]
    started = time.monotonic()
    has_results = _find(screen, str(record["question"]), {document for document, _ in gold})
    if number == 0:
        shoot(screen, "results")
    if has_results:
        _read(screen, gold)
    unanswerable = bool(record.get("unanswerable")) or not has_results
    if not unanswerable:
        if screen.part("cite").inner_text() != "Cited":
            screen.part("cite").click()
        text = "\n".join((record.get("answer_variants") or [["unknown"]])[0])
        screen.part("answer").press_sequentially(text)
    reader.turns_ms += _turns(screen)
    screen.page.reload()  # in the middle of the task, inside the debounce
    screen.wait_until_ready()
    if not unanswerable:
        expect(screen.part("answer")).to_have_value(text)
        expect(screen.part("citation")).not_to_have_count(0)
        expect(screen.part("page-pane").locator("canvas").first).to_be_visible()
    if number == 0:
        shoot(screen, "task")
    if number % 2 and not unanswerable:
        screen.page.keyboard.press("Control+Enter")
    else:
        screen.part("no-answer" if unanswerable else "submit").click()
    if number == 0:
        shoot(screen, "submit")
    screen.part("confirm-submit").click()
    screen.page.wait_for_url(lambda url: attempt not in url)
    screen.wait_until_ready()
    reader.task_s.append(time.monotonic() - started)
    reader.submitted.append(attempt)


def _find(screen: Screen, question: str, documents: set[str]) -> bool:
    """Search with fewer and fewer words of the question until pages are found; open one."""
    words = [w for w in _WORD.findall(question) if w.lower() not in _PLAIN]
    words = sorted(dict.fromkeys(words), key=len, reverse=True)[:MAX_SEARCHES] or ["report"]
    for count in range(len(words), 0, -1):
        screen.search(" ".join(words[:count]))
        expect(screen.part("results-heading")).to_be_visible()
        names = [c.get_attribute("data-document") for c in screen.part("result").all()]
        if names:
            index = next((i for i, name in enumerate(names) if name in documents), 0)
            screen.open_result(index + 1)
            return True
    return False


def _read(screen: Screen, gold: list[tuple[str, int]]) -> None:
    """Turn a page and back, then go to the gold page if the document has it."""
    for testid in ("page-next", "page-previous"):
        button = screen.part(testid)
        if button.is_enabled():
            before = screen.part("page-number").input_value()
            button.click()
            expect(screen.part("page-number")).not_to_have_value(before)
            expect(screen.part("page-pane").locator("canvas")).to_be_visible()
    open_now = screen.part("document-name").inner_text()
    page = next((page for document, page in gold if document == open_now and page), None)
    if page is not None:
        screen.part("page-number").fill(str(page))
        screen.part("page-number").press("Enter")
        screen.wait_until_painted(open_now, page)


def _supervise(
    browser: Browser,
    server: ServerProcess,
    watch: Watch,
    log: SqlEventLog,
    attempt: str,
    shoot: Shoot,
) -> None:
    sven = _sign_in_anywhere(browser, server, watch, log)
    expect(sven.page.get_by_role("heading", name="Progress", exact=True)).to_be_visible()
    expect(sven.page.get_by_test_id("stDataFrame").first).to_be_visible()
    shoot(sven, "progress")
    sven.page.goto(f"{server.url}/trajectory?attempt={attempt}")
    expect(sven.page.get_by_test_id("stDataFrame").first).to_be_visible()
    shoot(sven, "trajectory")


def _sign_in_anywhere(
    browser: Browser, server: ServerProcess, watch: Watch, log: SqlEventLog
) -> Screen:
    context = browser.new_context(viewport=SIZE)
    watch.context(context)
    screen = Screen(context.new_page(), server.url, lambda a: list(log.events(a)))
    screen.sign_in(SUPERVISOR)
    return screen


def _shooter(folder: Path | None) -> Shoot:
    if folder is None:
        return _no_shot
    folder.mkdir(parents=True, exist_ok=True)

    def shoot(screen: Screen, name: str) -> None:
        screen.page.screenshot(path=folder / f"{name}.png")

    return shoot


def _no_shot(_screen: Screen, _name: str) -> None:
    """Take no screenshots."""


def _turns(screen: Screen) -> list[float]:
    """Milliseconds from click to painted since the last reload."""
    durations: list[float] = screen.page.evaluate(
        "performance.getEntriesByName('pagetrail:turn').map((entry) => entry.duration)"
    )
    return durations


def _check_exports(
    root: Path, workspace: Workspace, questions: Path, readers: list[Reader]
) -> list[str]:
    folder = root / "exports"
    for format_ in ("madqa", "trajectories", "gold"):
        out = str(folder / format_)
        _pagetrail(
            *("export", str(root), "--campaign", CAMPAIGN, "--format", format_),
            *("--out", out, "--overwrite"),
        )
    submitted = {attempt for reader in readers for attempt in reader.submitted}
    return [
        *check_madqa(folder / "madqa", folder / "gold", workspace, submitted),
        *check_trajectories(folder / "trajectories", workspace, submitted),
        *check_gold(folder / "gold", questions),
    ]


def _summary(readers: list[Reader], events: list[Event], seconds: float) -> dict[str, Any]:
    turns = [ms for reader in readers for ms in reader.turns_ms]
    return {
        "seconds": round(seconds, 1),
        "tasks": {reader.name: len(reader.submitted) for reader in readers},
        "batch_to_first_question_s": [round(r.first_question_s, 2) for r in readers],
        "seconds_per_task": round(median(s for r in readers for s in r.task_s), 2),
        "turn_ms_median": round(median(turns), 1) if turns else None,
        "events": len(events),
        **{
            kind: len(of_type(events, kind))
            for kind in ("searched", "page_viewed", "citation_added", "answer_edited", "submitted")
        },
        "not_found": sum(
            e.fields()["outcome"] == "not_found" for e in of_type(events, "submitted")
        ),
    }


if __name__ == "__main__":
    sys.exit(main())
