"""The audit log names people by their ids.

Texts are read by the patterns of the versions before. A text that fits none of them and has
somebody's name in it stays as it is, without ``people``.
"""

import re
from collections.abc import Collection, Iterator, Mapping

import sqlalchemy as sa
from alembic import op

revision = "0110"
down_revision = "0109"
branch_labels = None
depends_on = None

PLACEHOLDER = "\ufffc"
_AT_START = r"^P(?=: )"
_ALONE = r"^P$"
_ACCOUNT = {
    **dict.fromkeys(
        ("user_added", "invitation_accepted"), (r"^P(?= as )", r"(?<=, invited by )P$")
    ),
    **dict.fromkeys(
        ("absence_changed", "email_changed", "identity_removed", "profile_changed", "role_changed"),
        (_AT_START,),
    ),
    **dict.fromkeys(("password_set", "user_activated", "user_deactivated"), (_ALONE,)),
}
"""Action → where its text, about an account, has the names of people (``P``)."""
_LISTED = (r"(?:(?<=^1 person )|(?<= people )|(?<=, ))P(?=, |$)",)
_RUN = (r"^P(?=; |$)",)
_CAMPAIGN = {
    **dict.fromkeys(
        ("pilot_admit", "pilot_retrain", "pilot_reset", "pilot_baseline", "pilot_judged"),
        (_AT_START,),
    ),
    "pilot_regraded": _LISTED,
    "pilot_gold_corrected": (r"(?:(?<=; results changed of: )|(?<=, ))P(?=(?:, [^;→]+)?$)",),
    **dict.fromkeys(
        ("batches_assigned", "batch_given", "batch_given_back"), (r"(?<= to )P(?=; |$)",)
    ),
    **dict.fromkeys(
        ("batch_taken_back", "batch_moved", "batches_rebalanced"),
        (r"(?<= from )P(?= to |; |$)", r"(?<= to )P(?=; |$)"),
    ),
    **dict.fromkeys(
        ("task_given", "skipped_task_passed_on"),
        (r"(?<= to )P(?=, batch [^,]+$| instead of )", r"(?<= instead of )P(?=, batch [^,]+$)"),
    ),
    "rate_changed": (r"^P(?=: )",),
    **dict.fromkeys(("run_withdrawn", "run_restored", "run_originals_deleted"), _RUN),
}
"""The same for texts that begin with the name of a campaign, in what follows it."""


def upgrade() -> None:
    connection = op.get_bind()
    op.add_column(
        "user_account",
        sa.Column("former_names", sa.JSON(), nullable=False, server_default="[]"),
    )
    op.add_column("audit", sa.Column("people", sa.JSON(), nullable=True))
    op.execute(
        "ALTER TABLE audit ADD COLUMN actor_id INTEGER "
        "CONSTRAINT fk_audit_actor_id_user_account REFERENCES user_account (id)"
    )
    if connection.dialect.name == "postgresql":
        op.alter_column("audit", "actor_id", type_=sa.BigInteger(), existing_nullable=True)
    op.execute(
        "UPDATE audit SET actor_id = user_account.id, actor = '' FROM user_account "
        "WHERE user_account.name = audit.actor"
    )
    users = connection.execute(sa.text("SELECT id, name FROM user_account"))
    ids = {row.name: row.id for row in users}
    campaigns = [row.name for row in connection.execute(sa.text("SELECT name FROM campaign"))]
    texts = AuditTexts(ids, campaigns)
    change = sa.text(
        "UPDATE audit SET detail = :detail, people = :people WHERE id = :id"
    ).bindparams(sa.bindparam("people", type_=sa.JSON))
    rows = connection.execute(sa.text("SELECT id, action, detail FROM audit")).all()
    for row in rows:
        read = texts.read(row.action, row.detail)
        if read is not None:
            detail, people = read
            connection.execute(change, {"detail": detail, "people": people, "id": row.id})


class AuditTexts:
    """Reads texts of the audit log as earlier versions wrote them."""

    def __init__(self, ids: Mapping[str, int], campaigns: Collection[str]) -> None:
        self._ids = ids
        longest_first = sorted(ids, key=len, reverse=True)
        self._person = f"(?:{'|'.join(map(re.escape, longest_first))})" if ids else "(?!)"
        names = "|".join(map(re.escape, sorted(campaigns, key=len, reverse=True)))
        self._campaign = re.compile(f"(?:{names})(?:: |, )" if campaigns else "(?!)")
        self._names_by_word: dict[str, list[str]] = {}
        for name in ids:
            for word in re.findall(r"\w+", name)[:1]:
                self._names_by_word.setdefault(word, []).append(name)
        self._compiled: dict[str, re.Pattern[str]] = {}

    def read(self, action: str, text: str) -> tuple[str, list[int]] | None:
        """Text with placeholders, and the ids they stand for; None if names cannot be told."""
        if PLACEHOLDER in text:
            return None
        start, patterns = 0, _ACCOUNT.get(action, ())
        if not patterns and (campaign := self._campaign.match(text)):
            start, patterns = campaign.end(), _CAMPAIGN.get(action, ())
        rest = text[start:]
        spans = sorted(
            {match.span() for pattern in patterns for match in self._matches(pattern, rest)}
        )
        if not spans:
            return None if self._names_somebody(rest) else (text, [])
        people, result, end = [], text[:start], 0
        for first, last in spans:
            people.append(self._ids[rest[first:last]])
            result += rest[end:first] + PLACEHOLDER
            end = last
        return result + rest[end:], people

    def _matches(self, pattern: str, text: str) -> Iterator[re.Match[str]]:
        compiled = self._compiled.get(pattern)
        if compiled is None:
            compiled = self._compiled[pattern] = re.compile(pattern.replace("P", self._person))
        return compiled.finditer(text)

    def _names_somebody(self, text: str) -> bool:
        names = {
            name for word in re.findall(r"\w+", text) for name in self._names_by_word.get(word, ())
        }
        return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names)
