"""Entry point of a worker process: runs the functions it is sent, one after the other.

It imports next to nothing itself, so it starts fast and stays small: a function's module is
imported by the first call that names it. It ends with the process that started it.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections import deque
from collections.abc import Callable
from importlib import import_module
from multiprocessing.connection import Connection
from threading import Thread, main_thread
from typing import Any, ClassVar

from pagetrail.annotation.errors import PagetrailError
from pagetrail.storage.workers.garbage import collect_rarely
from pagetrail.storage.workers.memory import limit_address_space

CALL = "call"
SETTINGS = "settings"
MESSAGE = "message"
PROGRESS = "progress"
QUESTION = "question"
RETURNED = "returned"
REFUSED = "refused"
OUT_OF_MEMORY = "out of memory"
_ALARM_MARGIN_S = 5.0
_INTERRUPT_INTERVAL_S = 0.5


class _WorkerState:
    """The state of this worker process."""

    connection: Connection[Any, Any]
    messages: ClassVar[deque[Any]] = deque()
    deadline: float | None = None
    after_reply: Callable[[], None] | None = None


def send_progress(value: object) -> None:
    """Send a progress message to the caller of the running function."""
    _WorkerState.connection.send((PROGRESS, value))


def receive_message(*, wait: bool = False) -> Any:
    """The oldest unread message (``WorkerProcess.send``), or None.

    Args:
        wait: block until there is one.
    """
    if not _WorkerState.messages and (wait or _WorkerState.connection.poll()):
        _, message = _WorkerState.connection.recv()
        return message
    return _WorkerState.messages.popleft() if _WorkerState.messages else None


def ask_caller(question: object) -> Any:
    """Answer to a question by the caller of the running function.

    Raises:
        PagetrailError: raised by the caller instead of an answer.
    """
    _WorkerState.connection.send((QUESTION, question))
    answer = receive_message(wait=True)
    if isinstance(answer, PagetrailError):
        raise answer
    return answer


def time_left() -> float:
    """Seconds until this process is killed because of the running call."""
    deadline = _WorkerState.deadline
    return float("inf") if deadline is None else deadline - time.monotonic()


def run_after_reply(function: Callable[[], None]) -> None:
    """Call a function once the running call has been answered: nobody waits for it."""
    _WorkerState.after_reply = function


def import_function(name: str) -> Callable[..., Any]:
    """The function named ``"module:function"``."""
    module, _, attribute = name.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), attribute)
    return function


def call_by_name(name: str, *args: Any) -> Any:
    """Call a function whose module the caller should not import."""
    return import_function(name)(*args)


def import_modules(names: list[str]) -> None:
    """Import modules before the first call needs them."""
    for name in names:
        import_module(name)


def main() -> None:
    """Serve ``(CALL, (function, arguments, time limit or None))`` until the connection is closed.

    Command-line arguments: the descriptor of the connection, and ``interruptible`` or ``-``. An
    interruptible worker raises ``KeyboardInterrupt`` in its function on SIGINT and when the caller
    is gone; any other dies at once with the processes that it started.
    """
    descriptor, interruptible = int(sys.argv[1]), sys.argv[2] == "interruptible"
    # What libraries print is no reply; it goes where errors go.
    os.dup2(2, 1)
    collect_rarely()
    _WorkerState.connection = Connection(descriptor)
    Thread(target=_end_with_caller, args=(descriptor, interruptible), daemon=True).start()
    try:
        while True:
            kind, value = _WorkerState.connection.recv()
            if kind == MESSAGE:
                _WorkerState.messages.append(value)
            elif kind == SETTINGS:
                _apply_settings(*value)
            else:
                _run_call(*value, interruptible=interruptible)
                _WorkerState.messages.clear()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


def _apply_settings(niceness: int, address_space: int | None) -> None:
    os.nice(niceness)
    if address_space is not None:
        limit_address_space(address_space)


def _run_call(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    limit_s: float | None,
    *,
    interruptible: bool,
) -> None:
    if interruptible:
        # Explicit: a server started in the background passes on that SIGINT is ignored.
        signal.signal(signal.SIGINT, _raise_interrupt)
    if limit_s is not None:
        # The caller enforces the limit; if it is gone, the kernel ends what hangs in C code.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, limit_s + _ALARM_MARGIN_S)
        _WorkerState.deadline = time.monotonic() + limit_s
    try:
        reply: tuple[str, Any] = (RETURNED, function(*arguments))
    except PagetrailError as error:
        reply = (REFUSED, error)
    except MemoryError:
        reply = (OUT_OF_MEMORY, None)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _WorkerState.deadline = None
    _WorkerState.connection.send(reply)
    after_reply, _WorkerState.after_reply = _WorkerState.after_reply, None
    if after_reply is not None:
        after_reply()


def _raise_interrupt(_number: int, _frame: object) -> None:
    """Raise once: a second interrupt must not stop the clean-up after the first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _end_with_caller(descriptor: int, interruptible: bool) -> None:
    hang_up = select.poll()
    hang_up.register(descriptor, 0)  # only the hang-up: the other thread reads
    hang_up.poll()
    while interruptible:
        # Until the function has ended: it may not have started when the first one came. A signal,
        # since ``interrupt_main`` does not wake a blocked thread.
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
        time.sleep(_INTERRUPT_INTERVAL_S)
    os.killpg(0, signal.SIGKILL)
