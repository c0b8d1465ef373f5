"""Imported sets of verdicts and their judges."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.database.tables import OutsideVerdict, VerdictSet

_HASH_DIGITS = 12
_SHORT_PROMPT = 40


class JudgeInfo(NamedTuple):
    """The judge of a set of verdicts, as far as stated.

    Attributes:
        prompt: its text, or a hash of it.
        version: of the judge or its prompt, in the user's own words.
        round: of developing the prompt, from 1.
        run: of several with the same prompt, from 1.
        judged_on: ISO date.
    """

    judge: str | None = None
    model: str | None = None
    prompt: str | None = None
    version: str | None = None
    round: int | None = None
    run: int | None = None
    judged_on: str | None = None

    @property
    def prompt_label(self) -> str | None:
        """The prompt if it is short, such as a hash; of a text the start of its SHA-256."""
        if self.prompt is None or (len(self.prompt) <= _SHORT_PROMPT and "\n" not in self.prompt):
            return self.prompt
        return f"sha256:{hashlib.sha256(self.prompt.encode()).hexdigest()[:_HASH_DIGITS]}"

    @property
    def configuration(self) -> tuple[str | None, str | None, str | None, str | None, int | None]:
        """What repeated runs of a judge have in common."""
        return self.judge, self.model, self.prompt, self.version, self.round


JUDGE_COLUMNS = {
    "judge": "judge",
    "model": "judge_model",
    "prompt": "judge_prompt",
    "version": "judge_version",
    "round": "judge_round",
    "run": "judge_run",
    "judged_on": "judge_date",
}
"""Field of ``JudgeInfo`` → column of a file of verdicts."""


class StoredVerdictSet(NamedTuple):
    """An imported set.

    Attributes:
        verdicts: their number.
    """

    name: str
    info: JudgeInfo
    verdicts: int


def stored_verdict_sets(connection: Connection, campaign_id: int) -> list[StoredVerdictSet]:
    """The sets of a campaign by judge, round and run."""
    columns = [getattr(VerdictSet, name) for name in JudgeInfo._fields]
    numbers = connection.execute(
        select(OutsideVerdict.name, func.count())
        .where(OutsideVerdict.campaign_id == campaign_id)
        .group_by(OutsideVerdict.name)
    )
    counts = {name: int(number) for name, number in numbers}
    rows = connection.execute(
        select(VerdictSet.name, *columns).where(VerdictSet.campaign_id == campaign_id)
    )
    sets = [StoredVerdictSet(name, JudgeInfo(*info), counts.get(name, 0)) for name, *info in rows]
    return sorted(
        sets, key=lambda s: (s.info.judge or "", s.info.round or 0, s.info.run or 0, s.name)
    )


def require_verdict_set(sets: list[StoredVerdictSet], name: str) -> None:
    """Refuse the name of a set that does not exist.

    Raises:
        NotFoundError: there is no such set; the message lists those that exist.
    """
    names = sorted(stored.name for stored in sets)
    if name not in names:
        raise NotFoundError(
            gettext(
                "There are no verdicts {name!r}. Imported verdicts: {existing_sets}.",
                name=name,
                existing_sets=", ".join(names) or "none yet",
            )
        )
