"""Types into the text of a page until it is killed; prints the id of each edit that is stored.

Run as ``python -m tests.support.text_writer WORKSPACE ATTEMPT SEED``.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from tests.support.random_transcripts import random_edits


def main(root: str, attempt_id: str, seed: str) -> None:
    """Store random edits of the text, each for the text as it is then."""
    rng = random.Random(seed)
    workspace = Workspace.open(Path(root))
    log = SqlEventLog(workspace.engine)
    recorder = Recorder(log, Corpus(workspace), SystemClock())
    context = queries.attempt(workspace.engine, attempt_id).context()
    number = 0
    while True:
        number += 1
        transcript = log.state(attempt_id).transcript
        assert transcript is not None
        edits = random_edits(rng, transcript.text, rng.choice([1, 1, 3]))
        page = {"document": transcript.document, "page": transcript.page}
        command = Command(
            f"w{seed}-{number}", ev.TextEdited.model_validate({**page, "edits": edits})
        )
        recorded = recorder.record(context, [command])
        if recorded.receipts:
            sys.stdout.write(f"{recorded.receipts[0].client_event_id}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
