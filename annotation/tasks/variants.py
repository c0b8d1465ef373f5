"""Variants of one question: translations, and obscured or more specific wordings of an original.

A variant's record names its original in ``variant_of`` and says how it differs from it in
``variant``. The original and its variants are a family. Who has worked on one member knows the
answer to the others, so families are spread over batches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

VARIANT_OF = "variant_of"
VARIANT = "variant"
ORIGINAL = "original"
"""Key of the record with the original's question."""

T = TypeVar("T")


def family_of(key: str, record: Mapping[str, Any]) -> str:
    """The id of a task's original; of an original, its own."""
    original = record.get(VARIANT_OF)
    return original if isinstance(original, str) and original else key


def variant_fields(record: Mapping[str, Any]) -> dict[str, str]:
    """``variant_of`` and ``variant`` of a variant's record; empty for an original."""
    if not isinstance(record.get(VARIANT_OF), str):
        return {}
    return {name: str(record.get(name) or "") for name in (VARIANT_OF, VARIANT)}


def has_variants(tasks: Sequence[T], family: Callable[[T], str]) -> bool:
    """Whether two of the tasks are of one family."""
    return len({family(task) for task in tasks}) < len(tasks)


def batches_apart(tasks: Sequence[T], size: int, family: Callable[[T], str]) -> list[list[T]]:
    """Batches of at most ``size`` tasks, none of which has two tasks of one family.

    Families stay in their order. A block of families shares as few batches as its largest family
    has members, so that a batch has variants in common with few others, and one person can take
    many batches. Within a block, the first, second … members rotate through the batches, as in a
    Latin square.

    Raises:
        ValueError: size below 1.
    """
    if size < 1:
        raise ValueError(f"a batch holds at least one task, not {size}")
    batches: list[list[T]] = []
    for block in _blocks(_families(tasks, family), size):
        n_batches = max(map(len, block))
        shared: list[list[T]] = [[] for _ in range(n_batches)]
        for shift, members in enumerate(block):
            order = sorted(
                range(n_batches),
                key=lambda index: (len(shared[index]), (index - shift) % n_batches),
            )
            for index, member in zip(order, members, strict=False):
                shared[index].append(member)
        batches += shared
    return batches


def batches_together(tasks: Sequence[T], size: int, family: Callable[[T], str]) -> list[list[T]]:
    """Batches of at most ``size`` tasks with each family in one, if it fits into a batch.

    Raises:
        ValueError: size below 1.
    """
    if size < 1:
        raise ValueError(f"a batch holds at least one task, not {size}")
    batches: list[list[T]] = [[]]
    for members in _families(tasks, family):
        if batches[-1] and len(batches[-1]) + len(members) > size:
            batches.append([])
        for member in members:
            if len(batches[-1]) == size:
                batches.append([])
            batches[-1].append(member)
    return [batch for batch in batches if batch]


def side_by_side(keys: Sequence[str], family: Callable[[str], str]) -> list[str]:
    """The keys with each family's members behind the first of them."""
    families: dict[str, list[str]] = {}
    for key in keys:
        families.setdefault(family(key), []).append(key)
    return [key for members in families.values() for key in members]


def _families(tasks: Sequence[T], family: Callable[[T], str]) -> list[list[T]]:
    families: dict[str, list[T]] = {}
    for task in tasks:
        families.setdefault(family(task), []).append(task)
    return list(families.values())


def _blocks(families: Sequence[list[T]], size: int) -> list[list[list[T]]]:
    """Consecutive families that fit into as many batches as the largest of them has members."""
    blocks: list[list[list[T]]] = []
    n_tasks = n_batches = 0
    for members in families:
        n_batches = max(n_batches, len(members))
        n_tasks += len(members)
        if not blocks or n_tasks > size * n_batches:
            blocks.append([])
            n_batches = n_tasks = len(members)
        blocks[-1].append(members)
    return blocks
