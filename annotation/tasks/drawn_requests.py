"""What each question is asked for, drawn at random: its type and format, as in ViDoRe V3.

Macé et al. (2026), ViDoRe V3, section 3.2: annotators write a question of a given type and format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pagetrail.annotation.statistics.allocation import allocate
from pagetrail.annotation.tasks.batches import order_for

DRAWN_FIELDS = "drawn"
"""Key of the record that lists the fields whose values were drawn."""


def draw_requests(
    keys: Sequence[str],
    field: str,
    weights: Mapping[str, float],
    drawn_before: Iterable[str],
    seed: int,
) -> dict[str, str]:
    """Key of each task → the option that its question is asked for.

    Options are as frequent as their weights say, together with those drawn before. Which task gets
    which follows ``SHA-256(f"{seed}:{field}:{key}")``.

    Args:
        drawn_before: options of earlier tasks of the campaign.
    """
    options = list(weights)
    counts = Counter(drawn_before)
    added = allocate(
        [weights[option] for option in options],
        [float("inf")] * len(options),
        [counts[option] for option in options],
        len(keys),
    )
    deck = [option for option, n in zip(options, added, strict=True) for _ in range(n)]
    by_name = {f"{field}:{key}": key for key in keys}
    shuffled = order_for(list(by_name), seed)
    return {by_name[name]: option for name, option in zip(shuffled, deck, strict=True)}


def drawn_options(record: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a task's record whose options were drawn, with these options."""
    names = record.get(DRAWN_FIELDS)
    if not isinstance(names, list):
        return {}
    values = {str(name): record.get(name) for name in names}
    return {name: value for name, value in values.items() if isinstance(value, str)}
