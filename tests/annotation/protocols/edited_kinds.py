"""The toy field kind, with an edited copy of the module of kinds, imported before anything else."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path


def run_toy_kind(folder: str, module: str) -> None:
    """Import the copy in place of the module, and work with the kind in the folder."""
    spec = spec_from_file_location("pagetrail.annotation.protocols.fields", module)
    assert spec is not None and spec.loader is not None
    sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[spec.name])
    from tests.annotation.protocols import toy_field_kind  # noqa: PLC0415 - after the copy

    toy_field_kind.main(Path(folder))
