"""What runs in a worker process: it calls the functions that it is sent, one after the other.

It imports next to nothing itself, so that it starts fast and stays small: a function's module is
imported when the first call names it. It ends with the process that started it.
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
LIMIT = "limit"
SAID = "said"
TOLD = "told"
ASKED = "asked"
DONE = "done"
REFUSED = "refused"
OUT_OF_MEMORY = "out of memory"
_GRACE_S = 5.0
_INTERRUPT_EVERY_S = 0.5


class _Serving:
    """The state of this worker process."""

    connection: Connection[Any, Any]
    heard: ClassVar[deque[Any]] = deque()
    deadline: float | None = None
    after: Callable[[], None] | None = None


def tell(value: object) -> None:
    """Send a progress message to whoever called the function that runs now."""
    _Serving.connection.send((TOLD, value))


def hear(*, wait: bool = False) -> Any:
    """The oldest message (``WorkerProcess.say``) that was not heard yet; None: there is none.

    Args:
        wait: until there is one.
    """
    if not _Serving.heard and (wait or _Serving.connection.poll()):
        _, message = _Serving.connection.recv()
        return message
    return _Serving.heard.popleft() if _Serving.heard else None


def ask(question: object) -> Any:
    """What the caller of the function that runs now answers to a question.

    Raises:
        PagetrailError: which it raised instead.
    """
    _Serving.connection.send((ASKED, question))
    answer = hear(wait=True)
    if isinstance(answer, PagetrailError):
        raise answer
    return answer


def time_left() -> float:
    """Seconds until this process is killed over the call that runs now."""
    return float("inf") if _Serving.deadline is None else _Serving.deadline - time.monotonic()


def after_reply(function: Callable[[], None]) -> None:
    """Have a function called once the call that runs now is answered: nobody waits for it."""
    _Serving.after = function


def named(name: str) -> Callable[..., Any]:
    """The function called ``"module:function"``."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def call_named(name: str, *args: Any) -> Any:
    """Call a function whose module the caller does not want to import."""
    return named(name)(*args)


def main() -> None:
    """Serve ``(CALL, (function, arguments, seconds or None))`` until the other end is closed.

    Arguments of the command line: the descriptor of the connection, and ``interruptible`` or
    ``-``. An interruptible worker has its function raise ``KeyboardInterrupt`` on an interrupt,
    and when the other end is gone; any other dies at once with the processes that it started.
    """
    descriptor, interruptible = int(sys.argv[1]), sys.argv[2] == "interruptible"
    # What libraries print is no reply; it goes where errors go.
    os.dup2(2, 1)
    collect_rarely()
    _Serving.connection = Connection(descriptor)
    Thread(target=_end_with_the_caller, args=(descriptor, interruptible), daemon=True).start()
    try:
        while True:
            kind, value = _Serving.connection.recv()
            if kind == SAID:
                _Serving.heard.append(value)
            elif kind == LIMIT:
                limit_address_space(value)
            else:
                _serve(*value, interruptible=interruptible)
                _Serving.heard.clear()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


def _serve(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    seconds: float | None,
    *,
    interruptible: bool,
) -> None:
    if interruptible:
        # Not left to Python: a server started in the background passes on that it is ignored.
        signal.signal(signal.SIGINT, _interrupted)
    if seconds is not None:
        # The caller enforces the limit; should it be gone, the kernel ends what hangs in C code.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_S)
        _Serving.deadline = time.monotonic() + seconds
    try:
        reply: tuple[str, Any] = (DONE, function(*arguments))
    except PagetrailError as error:
        reply = (REFUSED, error)
    except MemoryError:
        reply = (OUT_OF_MEMORY, None)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _Serving.deadline = None
    _Serving.connection.send(reply)
    after, _Serving.after = _Serving.after, None
    if after is not None:
        after()


def _interrupted(_number: int, _frame: object) -> None:
    """Once: a second interrupt must not stop the tidying up after the first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _end_with_the_caller(descriptor: int, interruptible: bool) -> None:
    closed = select.poll()
    closed.register(descriptor, 0)  # nothing but the hang-up: the other thread reads
    closed.poll()
    while interruptible:
        # Until the function has ended: it may not have started when the first one came. A signal,
        # since ``interrupt_main`` wakes nothing that waits.
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
        time.sleep(_INTERRUPT_EVERY_S)
    os.killpg(0, signal.SIGKILL)
