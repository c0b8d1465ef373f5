"""Damaged PDFs are read or refused with a typed error, by ingest and by the drawing of pages."""

from __future__ import annotations

from pathlib import Path

from tests.attacks.pdf_mutations import MUTATIONS, generated_bases, mutated, run_mutations

SEEDS = range(2 * len(MUTATIONS))


def test_structural_mutations_are_read_or_refused(tmp_path: Path) -> None:
    """Two of each kind: none hangs, none is lost, no image is without bound."""
    result = run_mutations(generated_bases(tmp_path), SEEDS, tmp_path)
    assert result.failures == []
    assert sum(result.outcomes.values()) == len(SEEDS)
    assert {outcome for _, outcome in result.outcomes} >= {"read and drawn", "refused"}


def test_a_mutation_is_that_of_its_seed(tmp_path: Path) -> None:
    """So that what the command finds can be repeated."""
    data = generated_bases(tmp_path)[0].read_bytes()
    for seed in SEEDS:
        assert mutated(data, seed) == mutated(data, seed)
