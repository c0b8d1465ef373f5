"""``import-patches``: a model's patches begin the next round of the transcriptions they are for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.proposed_patches import parse_patches
from pagetrail.annotation.attempts.rounds import round_stage
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.messages import N_
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.recognition import IMPORT_PATCHES
from pagetrail.storage.importers.rounds import (
    AnsweredWork,
    RoundAnswer,
    RoundKind,
    RoundOptions,
    RoundReport,
    RoundWording,
    import_rounds,
)


class LeftOutPatches(NamedTuple):
    """A row, or one patch of a row, that was not imported.

    Attributes:
        patch: name and position of the patch in its row; None where it is the whole row.
    """

    line: int
    task: str | None
    patch: str | None
    reason: str


@dataclass
class PatchReport:
    """Outcome of an import of patches.

    Attributes:
        patches: that were given with the rounds.
    """

    rounds: RoundReport
    patches: int
    left_out: list[LeftOutPatches]


def import_patches(
    workspace: Workspace,
    path: Path,
    *,
    campaign: str,
    reopen_accepted: bool = False,
    **options: Unpack[RoundOptions],
) -> PatchReport:
    """Begin the next round of the submitted transcriptions that the file's rows answer.

    Args:
        reopen_accepted: whether a round may begin for pages that were accepted without an edit.

    Raises as ``import_rounds``.
    """
    kind = _PatchRounds(reopen_accepted)
    rounds, rows = import_rounds(workspace, path, campaign, kind, options)
    left_out = kind.unusable + [LeftOutPatches(e.line, e.task, None, e.reason) for e in rows]
    return PatchReport(rounds, kind.n_patches, sorted(left_out, key=lambda entry: entry.line))


class _PatchRounds(RoundKind):
    """Transcriptions, for which a model proposes patches.

    Attributes:
        n_patches: that were given.
        unusable: patches that were left out.
    """

    hash_field = "text_sha256"
    importer = IMPORT_PATCHES
    names_round = True
    wording = RoundWording(
        answered="the text that the patches are for",
        repeated="patches for this page already; a page gets one set a round",
        missing="has not been opened yet; its first patches come with import-tasks",
        accepted="without an edit",
        reopening="; --reopen-accepted begins another round nevertheless",
        changed="another text",
        way_out="export the transcripts again and answer the current text",
        other_protocol=N_(
            "The tasks of {campaign} have no text to correct. Patches are for campaigns of "
            "the protocol transcribe."
        ),
    )

    def __init__(self, reopen_accepted: bool) -> None:
        self._reopen_accepted = reopen_accepted
        self.n_patches = 0
        self.unusable: list[LeftOutPatches] = []

    def is_asked_by(self, protocol: Protocol) -> bool:
        return protocol.transcript.enabled

    def parse_proposals(self, data: Mapping[str, Any]) -> Any:
        patches = data.get("patches")
        if not isinstance(patches, list):
            raise ValueError("patches: must be a list; it is empty where nothing is proposed")
        return patches

    def answered_work(self, state: AttemptState) -> AnsweredWork | None:
        transcript = state.transcript
        if transcript is None:
            return None
        is_done = round_stage(state) == "accepted" and not self._reopen_accepted
        return AnsweredWork(transcript.round, transcript.text_sha256, is_done)

    def payloads(
        self, state: AttemptState, answer: RoundAnswer, number: int
    ) -> dict[str, ev.Payload]:
        transcript = state.transcript
        assert transcript is not None
        parsed = parse_patches(transcript.text, answer.proposals)
        for problem in parsed.problems:
            name = f"patches[{problem.row}]" + (f" ({problem.id})" if problem.id else "")
            self.unusable.append(LeftOutPatches(answer.line, answer.task, name, problem.reason))
        if answer.proposals and not parsed.patches:
            raise ValueError(
                f"none of its {len(answer.proposals):,} patches applies, so the round was not "
                "started"
            )
        # Ids of earlier rounds may come again; a browser that was offline must not decide these.
        patches = tuple(
            patch.model_copy(update={"id": f"r{number}-{patch.id}"[:100]})
            for patch in parsed.patches
        )
        payload = ev.PatchesGiven(
            document=transcript.document,
            page=transcript.page,
            round=number,
            text_sha256=answer.sha256,
            patches=patches,
        )
        return {"patches": payload}

    def count(self, answer: RoundAnswer, state: AttemptState) -> None:
        assert state.transcript is not None
        self.n_patches += len(state.transcript.patches)
