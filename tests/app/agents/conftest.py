"""A campaign for agents, and a client in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pagetrail.app.agents import AgentClient
from pagetrail.app.services.composition import Services
from tests.app.agents.campaigns import add_agents_campaign


@pytest.fixture
def campaign(searching: Services) -> Services:
    """The services, with a campaign “Agents” whose gold is planted."""
    add_agents_campaign(searching.workspace, "Agents")
    return searching


@pytest.fixture
def client(campaign: Services) -> Iterator[AgentClient]:
    """A client in that campaign."""
    with AgentClient(campaign, "Agents", "bot") as agent_client:
        yield agent_client


@pytest.fixture
def root(services: Services) -> Path:
    """The workspace's folder, with a campaign “Agents” whose gold is planted."""
    add_agents_campaign(services.workspace, "Agents")
    return services.workspace.root
