"""Exports of the worked campaigns, each made once a run and only read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagetrail.exports.run import export
from pagetrail.exports.writing.manifest import Manifest
from tests.exports.campaigns import CAMPAIGN, Stage
from tests.exports.worked_campaigns import SCENES

Exported = Callable[[str, str], tuple[Manifest, Path]]
StageOf = Callable[[str], Stage]


@pytest.fixture(scope="session")
def stage_of(tmp_path_factory: pytest.TempPathFactory) -> StageOf:
    """The worked campaign of a scene."""
    stages: dict[str, Stage] = {}

    def make(scene: str) -> Stage:
        if scene not in stages:
            stages[scene] = SCENES[scene](tmp_path_factory.mktemp(scene) / "ws")
        return stages[scene]

    return make


@pytest.fixture(scope="session")
def exported(stage_of: StageOf, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """An export of a scene: (scene, format) → manifest and folder."""
    exports: dict[tuple[str, str], tuple[Manifest, Path]] = {}

    def export_once(scene: str, format_: str) -> tuple[Manifest, Path]:
        if (scene, format_) not in exports:
            out = tmp_path_factory.mktemp(f"{scene}-{format_}") / "out"
            exports[scene, format_] = export(stage_of(scene).workspace, CAMPAIGN, format_, out), out
        return exports[scene, format_]

    return export_once


def load(path: Path) -> Any:
    """A JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def rows(path: Path) -> list[Any]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def left_out(manifest: Manifest) -> dict[tuple[str, str], int]:
    """(what, reason) → count."""
    return {(entry.what, entry.reason): entry.count for entry in manifest.left_out}
