"""Tests that start whole set-ups take half a minute each: ``scripts/test --deploy`` runs them."""

from __future__ import annotations

import os
import shutil

import pytest

on_demand = pytest.mark.skipif(
    "PAGETRAIL_TEST_DEPLOY" not in os.environ, reason="scripts/test --deploy runs it"
)
with_caddy = pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed")
