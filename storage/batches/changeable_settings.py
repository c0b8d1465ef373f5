"""Settings that can change after a campaign was created: overlap, review rule, hidden checks.

Everything else in a protocol affects what annotators see and what is stored, and is fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import update

from pagetrail.annotation.errors import ConflictError, ProtocolError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.protocol import Protocol, with_overrides
from pagetrail.storage.batches.checks import require_usable_gold_source
from pagetrail.storage.campaigns.lifecycle import require_changeable
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.tables import Campaign, ReviewTask
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit_in
from pagetrail.storage.people.roles import require_supervisor_in

REVIEW, QUALITY = "review.", "quality."
OVERLAP = "overlap"


@dataclass(frozen=True)
class SettingChange:
    """A changed setting with its dotted key and its values as in a protocol."""

    key: str
    before: Any
    after: Any


def changeable_settings(protocol: Protocol) -> dict[str, Any]:
    """The settings that can change, by dotted key; each part's threshold has its own."""
    rule = protocol.review.model_dump(mode="json")
    parts = rule.pop("parts")
    return (
        {OVERLAP: protocol.overlap}
        | {f"{REVIEW}{key}": value for key, value in rule.items()}
        | {f"{REVIEW}parts.{part}": value for part, value in parts.items()}
        | {f"{QUALITY}{key}": value for key, value in protocol.quality.model_dump().items()}
    )


def change_settings(
    workspace: Workspace,
    by: Person | None,
    campaign: str,
    changes: Mapping[str, Any],
    *,
    expected_values: Mapping[str, Any] | None = None,
) -> list[SettingChange]:
    """Change some of ``changeable_settings``; open tasks are compared again under the new rule.

    Existing gold does not change. A larger overlap creates free slots; a smaller one takes no batch
    from anybody. New rates of hidden checks apply to batches assigned from now on.

    Args:
        changes: by dotted key; None for a part's threshold removes it.
        expected_values: the settings that the changes are based on; None skips this check.

    Returns:
        The changes; empty if every setting already had its value.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is archived, a setting has changed meanwhile, or the source of hidden gold
            has no gold.
        ProtocolError: a key that cannot be changed, or a value that is not allowed.
        Forbidden: ``by`` may not.
    """
    check_changeable(changes)
    with write_transaction(workspace.engine) as connection:
        require_supervisor_in(
            connection, by, N_("Only supervisors may change settings of campaigns.")
        )
        row = get_campaign(connection, campaign)
        require_changeable(row)
        protocol = stored_protocol(row.protocol)
        before = changeable_settings(protocol)
        for key in changes:
            if expected_values is not None and before.get(key) != expected_values.get(key):
                raise ConflictError(
                    gettext(
                        "Somebody else has changed {key} since you opened this. Nothing was saved.",
                        key=key,
                    ),
                    code="stale",
                )
        changed = with_overrides(protocol, dict(changes))
        after = changeable_settings(changed)
        found = [
            SettingChange(key, before.get(key), after.get(key))
            for key in {**before, **after}
            if before.get(key) != after.get(key)
        ]
        if not found:
            return []
        if any(change.key.startswith(QUALITY) for change in found):
            require_usable_gold_source(connection, row.name, changed)
        connection.execute(
            update(Campaign)
            .where(Campaign.id == row.id)
            .values(protocol=changed.model_dump(mode="json"))
        )
        if any(not change.key.startswith(QUALITY) for change in found):
            connection.execute(
                update(ReviewTask).where(ReviewTask.campaign_id == row.id).values(stale=True)
            )
        detail = "; ".join(f"{c.key} {_in_words(c.before)} → {_in_words(c.after)}" for c in found)
        audit_in(
            connection,
            by,
            "review_settings_changed",
            f"{row.name}: {detail}",
        )
    return found


def check_changeable(changes: Iterable[str]) -> None:
    """Refuse keys of settings that cannot change.

    Raises:
        ProtocolError: there is such a key.
    """
    for key in changes:
        if not is_changeable(key):
            raise ProtocolError(
                gettext(
                    "{key!r} cannot be changed after a campaign is made. “overlap” and "
                    "settings that begin with “review.” or “quality.” can.",
                    key=key,
                )
            )


def is_changeable(key: str) -> bool:
    """Whether the setting with this dotted key can change."""
    return key == OVERLAP or key.startswith((REVIEW, QUALITY))


def _in_words(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
