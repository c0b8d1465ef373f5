"""What the allowed values of a setting are called on screens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class OptionLabels:
    """Metadata of an annotated type: label by allowed value."""

    labels: Mapping[str, str]
