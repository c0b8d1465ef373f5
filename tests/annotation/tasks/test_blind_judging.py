"""Blind judging: numbers that say nothing, and answers of one question kept apart."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.tasks.batches import order_for
from pagetrail.annotation.tasks.blind_judging import (
    blind_keys,
    question_of,
    seeded_keys,
    separate_authors,
    separate_groups,
    spread_questions,
)

SYSTEMS = ("alpha", "beta", "gamma")


def test_a_number_does_not_tell_the_system() -> None:
    """Over many questions each system has each number about equally often."""
    number_counts: Counter[tuple[str, str]] = Counter()
    for n in range(600):
        keys = blind_keys(f"q{n}", SYSTEMS, "secret")
        assert sorted(keys.values()) == [f"q{n}#1", f"q{n}#2", f"q{n}#3"]
        number_counts.update((system, key[-1]) for system, key in keys.items())
    # 200 expected each; the standard deviation is below 12.
    assert all(150 < number_counts[system, number] < 250 for system in SYSTEMS for number in "123")


def test_numbers_follow_the_secret_alone() -> None:
    """The order of the systems changes nothing; another secret does, and no seed gives them."""
    questions = [f"q{n}" for n in range(60)]
    numbers = [blind_keys(question, SYSTEMS, "secret") for question in questions]
    assert numbers == [
        blind_keys(question, list(reversed(SYSTEMS)), "secret") for question in questions
    ]
    assert numbers != [blind_keys(question, SYSTEMS, "another") for question in questions]
    for seed in (0, 7):
        guessed = [seeded_keys(question, SYSTEMS, seed) for question in questions]
        # 180 guesses of one in three each; the standard deviation is below 8.
        hits = sum(
            guess[s] == keys[s]
            for guess, keys in zip(guessed, numbers, strict=True)
            for s in SYSTEMS
        )
        assert 30 < hits < 90


@pytest.mark.parametrize(
    ("key", "question"),
    [("q1#2", "q1"), ("a#1#3", "a#1"), ("q1", "q1"), ("#2", "#2"), ("q#x", "q#x"), ("q#", "q#")],
)
def test_the_question_is_read_from_the_key(key: str, question: str) -> None:
    """Ids that hold the separator themselves are not cut."""
    assert question_of(key) == question


@given(
    st.integers(1, 30),
    st.integers(1, 5),
    st.integers(1, 12),
    st.integers(0, 2**31 - 1),
)
def test_batches_hold_everything_evenly_and_apart(
    n: int, systems: int, size: int, seed: int
) -> None:
    """Nothing is lost, no batch is too large, and answers share a batch only if they must."""
    keys = [f"q{q}#{s}" for q in range(n) for s in range(1, systems + 1)]
    batches = spread_questions(keys, size, seed)
    assert sorted(key for batch in batches for key in batch) == sorted(keys)
    sizes = [len(batch) for batch in batches]
    assert max(sizes) <= size and max(sizes) - min(sizes) <= 1
    for batch in batches:
        question_counts = Counter(map(question_of, batch))
        if len(batches) >= systems:
            assert max(question_counts.values()) == 1
        if max(question_counts.values()) <= (len(batch) + 1) // 2:
            assert all(question_of(a) != question_of(b) for a, b in itertools.pairwise(batch))


@given(st.lists(st.sampled_from("abcd"), max_size=40))
def test_neighbours_differ_wherever_that_can_be(groups: list[str]) -> None:
    """A permutation without equal neighbours, unless one group is more than half of all."""
    keys = [f"{name}#{index}" for index, name in enumerate(groups)]
    ordered_keys = separate_groups(keys, question_of)
    assert sorted(ordered_keys) == sorted(keys)
    largest_group = max(Counter(groups).values(), default=0)
    clashes = sum(question_of(a) == question_of(b) for a, b in itertools.pairwise(ordered_keys))
    assert clashes == max(0, 2 * largest_group - len(keys) - 1)


def test_what_is_apart_already_stays_as_it_is() -> None:
    """Keys of different questions keep their order, so that other campaigns are not touched."""
    keys = ["c", "a", "b", "d"]
    assert separate_groups(keys, question_of) == keys


def test_a_batch_of_nothing_is_refused() -> None:
    """A size below one is an error, no endless loop."""
    with pytest.raises(ValueError, match="at least one task"):
        spread_questions(["q#1"], 0, 1)


@given(st.integers(1, 6), st.integers(0, 4), st.integers(1, 5), st.integers(1, 20))
def test_authors_can_judge_the_answers_of_others(
    n_authors: int, n_others: int, overlap: int, n: int
) -> None:
    """Each author has one part, and the rest of the judges fill the overlap wherever they can."""
    author_of: dict[str, int | None] = {
        f"q{q}#{author}": author or None for q in range(n) for author in range(n_authors + 1)
    }
    judges = range(1, n_authors + n_others + 1)
    parts = separate_authors(author_of, judges, overlap, 7, question_of)
    assert sorted(itertools.chain(*parts)) == sorted(author_of)
    authors_of_part = [{author_of[key] for key in part} - {None} for part in parts]
    assert sum(map(len, authors_of_part)) == n_authors
    assert len(parts) >= 2
    if n_authors + n_others > overlap:
        assert all(len(judges) - len(authors) >= overlap for authors in authors_of_part)


def test_without_authors_among_the_judges_nothing_is_separated() -> None:
    """Systems alone, or people who do not judge: one part, in the seed's order."""
    keys = [f"q{n}#1" for n in range(9)]
    (part,) = separate_authors(dict.fromkeys(keys, 5), [1, 2], 1, 7, question_of)
    assert part == order_for(keys, 7)
