"""A campaign for agents, and a desk in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pagetrail.app.agents import AgentDesk
from pagetrail.app.services.composition import Services
from tests.app.agents.campaigns import add_campaign


@pytest.fixture
def campaign(searching: Services, tmp_path: Path) -> Services:
    """The services, with a campaign “Agents” whose gold is planted."""
    add_campaign(searching.workspace, tmp_path, "Agents")
    return searching


@pytest.fixture
def desk(campaign: Services) -> Iterator[AgentDesk]:
    """A desk in that campaign."""
    with AgentDesk(campaign, "Agents", "bot") as made:
        yield made


@pytest.fixture
def root(services: Services, tmp_path: Path) -> Path:
    """The workspace's folder, with a campaign “Agents” whose gold is planted."""
    add_campaign(services.workspace, tmp_path, "Agents")
    return services.workspace.root
