"""Review of a worked campaign: gold that is decided by a reviewer, or accepted automatically."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Recorder
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.review import Pick
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.review.actions import ReviewedVersion, ReviewerRemarks, Reviews
from tests.exports.campaigns import Stage, make_stage
from tests.exports.worked_campaigns import ANSWERED, OPENED, REPORT, page, relevance, verify


class Bench:
    """A reviewer's acts on a stage; tasks are numbered from 1."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        recorder = Recorder(
            SqlEventLog(stage.workspace.engine), Corpus(stage.workspace), stage.clock
        )
        self.reviews = Reviews(stage.workspace, recorder, stage.clock)
        self._acts = 0

    def _act(self) -> str:
        self._acts += 1
        return f"act-{self._acts}"

    def decide(
        self,
        task: int,
        picks: Mapping[str, Pick] | None = None,
        dataset_answers: ev.DatasetAnswers = "kept",
    ) -> None:
        """Make gold of what people submitted; parts without a pick are put together as proposed."""
        task_work = self.reviews.streams.task_work(task)
        version = ReviewedVersion(
            task_work.sources(), task_work.gold.state.last_seq if task_work.gold else 0
        )
        self.reviews.decide(
            task,
            "Vera",
            dict(picks or {}),
            "I looked.",
            version,
            self._act(),
            ReviewerRemarks(dataset_answers=dataset_answers),
        )

    def take_up(self, task: int) -> None:
        """Begin a new version, and do not decide it."""
        self.reviews.take_up(task, "Vera", "Look again.", self._act())


def _cite(number: int) -> ev.CitationAdded:
    return ev.CitationAdded(document=REPORT, page=number)


def _record(key: str, answer: str, number: int) -> dict[str, object]:
    return {
        "id": key,
        "question": f"What of {key}?",
        "answer_variants": [[answer]],
        "evidence": [page(number)],
        "domain": "Wildlife",
    }


def answered(root: Path) -> Bench:
    """Four questions of two people each, and gold that is neither the tasks' nor the votes'.

    ========  ===========  =============  =============  ==============
    task      its gold     Ada            Grace          decided
    ========  ===========  =============  =============  ==============
    q1        otter, p. 3  seal, p. 1     seal, p. 1     seal, p. 1 (automatically)
    q2        otter, p. 1  otter, p. 1    whale, p. 2    whale, p. 1, 2
    q3        otter, p. 1  otter, p. 1    otter, p. 2    not yet
    q4        otter, p. 1  unanswerable   otter, p. 1    unanswerable, no page
    ========  ===========  =============  =============  ==============
    """
    changes = {"overlap": 2, "review.check_share": 0.0, "answer.unanswerable": True}
    tasks = [_record(f"q{n}", "otter", 3 if n == 1 else 1) for n in range(1, 5)]
    stage = make_stage(root, with_overrides(preset("search"), changes), tasks)

    def record_answer(key: str, person: str, answer: str, number: int) -> None:
        stage.did(key, person, OPENED, _cite(number), ev.AnswerEdited(text=answer), ANSWERED)

    for person in ("Ada", "Grace"):
        record_answer("q1", person, "seal", 1)
    record_answer("q2", "Ada", "otter", 1)
    record_answer("q2", "Grace", "whale", 2)
    record_answer("q3", "Ada", "otter", 1)
    record_answer("q3", "Grace", "otter", 2)
    stage.did("q4", "Ada", OPENED, ev.Submitted(outcome="unanswerable"))
    record_answer("q4", "Grace", "otter", 1)
    bench = Bench(stage)
    # As a version that did not compare with the dataset accepted it; now a reviewer would be asked.
    with patch("pagetrail.storage.review.task_rows.needs_reviewer", return_value=False):
        assert bench.reviews.acceptance.settle(1) == 1
    whale = {"answer": Pick("side", "2-Grace"), "evidence": Pick("union")}
    bench.decide(2, whale, dataset_answers="wrong")
    no_answer = {"answer": Pick("none"), "evidence": Pick("none")}
    bench.decide(4, {"outcome": Pick("side", "4-Ada"), **no_answer})
    return bench


def graded(root: Path) -> Bench:
    """The graded queries of the scene: the first decided as Ada has it, the poor one as it is."""
    bench = Bench(relevance(root))
    parts = ("outcome", "answer", "relevance", "modalities", "boxes")
    bench.decide(1, {part: Pick("side", "1-Ada") for part in parts})
    bench.decide(3)
    return bench


def verified(root: Path) -> Bench:
    """The verified elements of the scene: the first task decided as Grace has it."""
    bench = Bench(verify(root))
    bench.decide(1, {"boxes": Pick("side", "1-Grace")})
    return bench
