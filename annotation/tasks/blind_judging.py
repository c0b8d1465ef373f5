"""Blind judging: which number a prediction gets, and its position among the others.

A question's predictions are judged one by one, as tasks ``<question>#1``, ``#2``, …. Numbers are
shuffled for each question by a secret of the workspace, and the answers of one question are kept
apart, so that neither the number nor the place tells which system answered, not even to somebody
who knows the systems, the seed and this program.
"""

from __future__ import annotations

import hmac
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from hashlib import sha256

from pagetrail.annotation.tasks.batches import order_for

SEPARATOR = "#"


def blind_keys(question: str, systems: Iterable[str], secret: str) -> dict[str, str]:
    """System → key of its task, in the order of the numbers.

    The numbers follow the HMAC-SHA-256 of question and system with the secret.
    """

    def digest(system: str) -> tuple[bytes, str]:
        message = f"blind judging\n{question}\n{system}".encode("utf-8", "surrogatepass")
        return hmac.digest(secret.encode(), message, sha256), system

    return {
        system: f"{question}{SEPARATOR}{number}"
        for number, system in enumerate(sorted(set(systems), key=digest), start=1)
    }


def seeded_keys(question: str, systems: Iterable[str], seed: int) -> dict[str, str]:
    """System → key of its task in samples whose ids still follow from their seed.

    The numbers follow ``SHA-256(f"{seed}:{question}:{system}")``, which anybody who knows the
    systems can compute. Such samples keep their ids; everything else has ``blind_keys``.
    """
    names = {f"{question}:{system}": system for system in systems}
    return {
        names[key]: f"{question}{SEPARATOR}{number}"
        for number, key in enumerate(order_for(list(names), seed), start=1)
    }


def question_of(key: str) -> str:
    """The question's own id in the key of a judged prediction; another key is its own."""
    question, separator, number = key.rpartition(SEPARATOR)
    return question if separator and question and number.isdecimal() else key


def names_of_answers(name: str, pseudonym: str) -> tuple[str, ...]:
    """Names under which a person's answers may be judged; MADQA's export has ``human:``."""
    return pseudonym, name, f"human:{pseudonym}", f"human:{name}"


def separate_authors(
    author_of: Mapping[str, int | None],
    judges: Collection[int],
    overlap: int,
    seed: int,
    group: Callable[[str], str],
) -> list[list[str]]:
    """Parts of the keys that become batches of their own, so that all who answered can judge, too.

    An author's answers are all in one part, which somebody else judges; the other answers are
    spread evenly, those of one question over all parts. There is one part if no judge answered.

    Args:
        author_of: key → who answered; None for systems.
        judges: people who may judge.
        overlap: judges of each answer. There are as few parts as leave so many for each, at least
            two; if too few people judge for that, each author has one.
        group: key → its question.
    """
    ordered = order_for(list(author_of), seed)
    authors = list(dict.fromkeys(author_of[key] for key in ordered if author_of[key] in judges))
    if not authors:
        return [ordered]
    n_others = len(set(judges)) - len(authors)
    largest = len(authors) - max(0, overlap - n_others)
    n = max(2, len(authors) if largest < 1 else -(-len(authors) // largest))
    part_of_author = {author: index % n for index, author in enumerate(authors)}
    parts: list[list[str]] = [[] for _ in range(n)]
    n_of_group: list[Counter[str]] = [Counter() for _ in range(n)]
    for key in sorted(ordered, key=lambda key: author_of[key] not in part_of_author):
        part = part_of_author.get(author_of[key])
        if part is None:
            part = min(range(n), key=lambda i: (n_of_group[i][group(key)], len(parts[i]), i))
        parts[part].append(key)
        n_of_group[part][group(key)] += 1
    return [part for part in parts if part]


def spread_questions(
    keys: Sequence[str], size: int, seed: int, group: Callable[[str], str] = question_of
) -> list[list[str]]:
    """Batches of at most ``size`` with the keys of one question in as many batches as there are.

    Batches differ in size by one at most. With at least as many batches as a question has
    predictions, no batch holds two of them.

    Args:
        group: key → its question.

    Raises:
        ValueError: size below 1.
    """
    if size < 1:
        raise ValueError(f"a batch holds at least one task, not {size}")
    groups: dict[str, list[str]] = {}
    for key in order_for(list(keys), seed):
        groups.setdefault(group(key), []).append(key)
    dealt = [key for members in groups.values() for key in members]
    n = -(-len(dealt) // size)
    batches = [dealt[first::n] for first in range(n)]
    return [separate_groups(order_for(batch, seed), group) for batch in batches]


def separate_groups(keys: Sequence[str], group: Callable[[str], str]) -> list[str]:
    """The keys in nearly their order, with no two neighbours of one group where that can be.

    Each place takes the first key whose group is not its neighbour's, unless a group is so large
    that it has to be taken now to fit in at all.
    """
    left: dict[str, deque[tuple[int, str]]] = {}
    for index, key in enumerate(keys):
        left.setdefault(group(key), deque()).append((index, key))
    counts = Counter({name: len(members) for name, members in left.items()})
    ordered: list[str] = []
    last: str | None = None
    while counts:
        remaining = len(keys) - len(ordered)
        largest, count = counts.most_common(1)[0]
        other_groups = [name for name in counts if name != last] or [last or largest]
        forced = largest != last and 2 * count > remaining
        last = largest if forced else min(other_groups, key=lambda name: left[name][0])
        ordered.append(left[last].popleft()[1])
        counts[last] -= 1
        if not counts[last]:
            del counts[last]
    return ordered
