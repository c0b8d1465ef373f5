"""Memory of the server while twenty people work.

Each person has a signed-in session, an open web socket on which the task's screen was run, and does
what a task consists of: searches, page images, citations, answers. The web socket is spoken to as
Streamlit's frontend does (twenty browsers would take the machine that is measured). Resident memory
counts pages shared between processes once for each; the search processes are shown apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from benchmarks.support import Client, Measurement, Served, attempts_of, person_name, serving

SESSIONS = 20
TASKS = 3
PAGES = 4
TARGET_MB = 500
QUERIES = ("annual report", "energy", "total revenue", "safety OR health", "figure")


def main(root: Path) -> list[Measurement]:
    """Resident memory idle, with one session and with twenty.

    Args:
        root: a workspace of ``support.bench_workspace``.
    """
    with serving(root) as served, ExitStack() as open_tabs:
        server = psutil.Process(served.pid)
        idle = _resident_mb(server)
        _work(served, root, 0, open_tabs)
        one = _resident_mb(server)
        for number in range(1, SESSIONS):
            _work(served, root, number, open_tabs)
        many = _resident_mb(server)
        children = sum(_resident_mb(child) for child in server.children(recursive=True))
    return [
        Measurement(
            f"memory, {SESSIONS} sessions", many, "MB", TARGET_MB, reference=("no session", idle)
        ),
        Measurement("… with one session", one, "MB", reference=("no session", idle)),
        Measurement("… each further session", (many - one) / (SESSIONS - 1), "MB"),
        Measurement("… its search processes, together", children, "MB"),
    ]


def _resident_mb(process: psutil.Process) -> float:
    return float(process.memory_info().rss) / 1e6


def _work(served: Served, root: Path, number: int, open_tabs: ExitStack) -> None:
    """Sign in, open a tab that stays open, and work on some tasks."""
    name = person_name(number)
    client = Client(served.port)
    cookie = client.sign_in(name)
    attempts = attempts_of(root, name)[:TASKS]
    open_tabs.enter_context(_tab(served, cookie, attempts[0]))
    for attempt in attempts:
        boot = client.boot(attempt)
        path = f"/pagetrail/attempts/{attempt}"
        for n, query in enumerate(QUERIES):
            found = client.post(f"{path}/search", {"id": f"s-{n}", "session": "s", "query": query})
            for hit in found["results"][:PAGES]:
                sha256 = found["documents"][hit["document"]]["sha256"]
                picture = f"/pagetrail/page/{sha256}/{hit['page']}?dpi=150&v={boot['token']}"
                status, _ = client.get(picture)
                if status != 200:
                    raise SystemExit(f"{picture}: {status}")
        event = {"id": "e-1", "type": "answer_edited", "payload": {"text": "an answer"}}
        client.post(f"{path}/events", {"session": "s", "events": [event]})
    client.close()


@contextmanager
def _tab(served: Served, cookie: str, attempt: str) -> Iterator[None]:
    """A web socket on which the screen of the attempt was run."""
    with connect(
        f"ws://127.0.0.1:{served.port}/_stcore/stream",
        subprotocols=[Subprotocol("streamlit")],
        additional_headers={"Cookie": cookie},
        max_size=None,
    ) as socket:
        wish = BackMsg()
        wish.rerun_script.query_string = f"attempt={attempt}"
        wish.rerun_script.page_name = "task"
        socket.send(wish.SerializeToString())
        seen = b""
        while True:
            data = socket.recv(timeout=30)
            assert isinstance(data, bytes)
            seen += data
            message = ForwardMsg.FromString(data)
            if message.WhichOneof("type") == "script_finished":
                break
        if attempt.encode() not in seen:
            raise SystemExit("The task's screen did not come.")
        yield
