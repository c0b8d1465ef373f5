"""Campaigns of the practice workspace: a preset's own, and those with a campaign's settings."""

from __future__ import annotations

import json
import logging
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from pagetrail.annotation.errors import PagetrailError, WorkspaceError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol, guidelines, preset, with_overrides
from pagetrail.annotation.protocols.quality import QualityPart
from pagetrail.annotation.protocols.study import StudyPart
from pagetrail.app.practice.tasks import campaign_name, practice_tasks
from pagetrail.storage.campaigns.lookup import find_campaign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks

_SEED = 1
_log = logging.getLogger("pagetrail.server")


def add_preset_campaign(workspace: Workspace, name: str) -> None:
    """Add the practice campaign of a preset, with the preset's own settings and guidelines.

    Raises:
        WorkspaceError: the task does not fit.
    """
    _add(workspace, campaign_name(name), name, _for_practice(preset(name)), guidelines(name))


def practice_name(protocol: Protocol, text: str) -> str:
    """The name of the practice campaign with these settings and guidelines.

    Settings of how tasks are assigned make no difference: conditions, order, hidden checks, a
    pilot to pass.
    """
    preset_name, practice_protocol = campaign_name(protocol.name), _for_practice(protocol)
    if practice_protocol == _for_practice(preset(protocol.name)) and text == guidelines(
        protocol.name
    ):
        return preset_name
    settings = json.dumps([practice_protocol.model_dump(mode="json"), text], sort_keys=True)
    return f"{preset_name} ({sha256(settings.encode()).hexdigest()[:8]})"


def with_settings_of(workspace: Workspace, protocol: Protocol, text: str) -> str:
    """The practice campaign with a campaign's settings and guidelines, created if needed.

    If the practice task does not fit the settings, for example custom labels, it is the preset's
    practice campaign.

    Args:
        workspace: the practice workspace.
    """
    name = practice_name(protocol, text)
    with workspace.engine.connect() as connection:
        if find_campaign(connection, name) is not None:
            return name
    try:
        _add(workspace, name, protocol.name, _for_practice(protocol), text)
    except PagetrailError as error:
        _log.info("practice uses the preset's settings, not the campaign's: %s", error.message)
        return campaign_name(protocol.name)
    return name


def _for_practice(protocol: Protocol) -> Protocol:
    return with_overrides(
        protocol,
        {
            "requires": None,
            "quality": QualityPart().model_dump(),
            "study": StudyPart().model_dump(),
            "pilot": {"enabled": True, "feedback": True, "pass_mark": 1.0},
        },
    )


def _add(workspace: Workspace, campaign: str, name: str, protocol: Protocol, text: str) -> None:
    with TemporaryDirectory() as folder:
        rows = Path(folder) / f"{name}.jsonl"
        record = {"id": "practice", **practice_tasks()[name]}
        rows.write_text(json.dumps(record), encoding="utf-8")
        report = import_tasks(
            workspace,
            rows,
            campaign=campaign,
            protocol=protocol,
            seed=_SEED,
            guidelines=f"{guidelines('_practice')}\n{text}",
            assign=False,
            new=True,
        )
    if report.bad:
        raise WorkspaceError(
            gettext("The practice task of {name}: {reason}", name=name, reason=report.bad[0].reason)
        )
