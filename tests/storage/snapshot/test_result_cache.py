"""Results on disk: found again by whoever asks for exactly them, and never in the way."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pagetrail.storage.snapshot import result_cache
from pagetrail.storage.snapshot.result_cache import FILE_NAME, ResultCache, packed, unpacked


def test_results_outlive_the_process_that_made_them(tmp_path: Path) -> None:
    """Of tasks the latest version under each name; single ones by their digest."""
    with closing(ResultCache(tmp_path)) as cache:
        cache.store_tasks("a", [("q1", b"v1", b"[1]"), ("q2", b"v1", b"[2]")])
        cache.store_tasks("b", [("q1", b"v1", b"[9]")])
        cache.store_tasks("a", [("q1", b"v2", b"[3]")])
        cache.store(b"digest", b"{}")
    with closing(ResultCache(tmp_path)) as cache:
        results = cache.of_tasks("a")
        assert {task: version for task, (version, _) in results.items()} == {
            "q1": b"v2",
            "q2": b"v1",
        }
        assert results["q1"][1] == b"[3]"
        assert cache.find(b"digest") == b"{}"
        assert cache.find(b"another") is None


def test_without_a_folder_single_results_last_as_long_as_the_object() -> None:
    """A report asks for some intervals twice."""
    cache = ResultCache()
    cache.store(b"digest", b"{}")
    assert cache.find(b"digest") == b"{}"
    assert ResultCache().find(b"digest") is None


def test_only_the_result_of_that_version_is_unpacked() -> None:
    """A damaged result, or one for something else, counts as none."""
    result = b"[1, 2, 3]"
    stored = packed(result, b"v1")
    assert unpacked(stored, b"v1") == result
    assert unpacked(stored, b"v2") is None
    assert unpacked(b"", b"v1") is None
    for position in range(len(stored)):
        damaged = bytearray(stored)
        damaged[position] ^= 1
        assert unpacked(bytes(damaged), b"v1") in (None, result)


def test_the_oldest_single_results_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond the limit, when the file is closed."""
    monkeypatch.setattr(result_cache, "MAX_SINGLE", 3)
    with closing(ResultCache(tmp_path)) as cache:
        for n in range(5):
            cache.store(b"%d" % n, b"{}")
    with closing(ResultCache(tmp_path)) as cache:
        assert [cache.find(b"%d" % n) for n in range(5)] == [None, None, b"{}", b"{}", b"{}"]


def test_a_damaged_file_is_replaced(tmp_path: Path) -> None:
    """It can be computed again."""
    (tmp_path / FILE_NAME).write_bytes(b"no database" * 1_000)
    with closing(ResultCache(tmp_path)) as cache:
        assert cache.of_tasks("a") == {}
        cache.store(b"digest", b"{}")
    with closing(ResultCache(tmp_path)) as cache:
        assert cache.find(b"digest") == b"{}"


def test_a_file_that_cannot_be_used_costs_time_only(tmp_path: Path) -> None:
    """No folder, or somebody who holds it for longer than we wait."""
    with closing(ResultCache(tmp_path / "none")) as cache:
        assert cache.of_tasks("a") == {}
        cache.store_tasks("a", [("q1", b"v1", b"[1]")])
        assert cache.find(b"digest") is None


def test_a_locked_file_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a report does not wait for another process."""
    monkeypatch.setattr(result_cache, "_WAIT_S", 0.01)
    with closing(ResultCache(tmp_path)) as cache:
        cache.store(b"digest", b"{}")
        with closing(sqlite3.connect(tmp_path / FILE_NAME)) as other:
            other.execute("BEGIN IMMEDIATE")
            cache.store(b"another", b"{}")
        assert cache.find(b"digest") == b"{}", "known without the file"
        assert cache.of_tasks("a") == {}


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    """It holds what people have answered."""
    with closing(ResultCache(tmp_path)) as cache:
        cache.store(b"digest", b"{}")
        assert not (tmp_path / FILE_NAME).stat().st_mode & 0o077
