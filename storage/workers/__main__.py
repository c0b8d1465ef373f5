"""The program of a worker process, with the arguments of ``worker_main.main``."""

import signal
import sys

# Until a call sets its own handler, SIGINT ends the process or is ignored: no traceback.
signal.signal(signal.SIGINT, signal.SIG_DFL if sys.argv[2] == "interruptible" else signal.SIG_IGN)

from pagetrail.storage.workers import worker_main  # noqa: E402 - after the handler

worker_main.main()
