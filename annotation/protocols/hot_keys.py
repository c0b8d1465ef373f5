"""Keys that protocols give to options and labels, which the workspace may use itself."""

from __future__ import annotations

from collections.abc import Iterator

from pagetrail.annotation.protocols.fields import FieldSpec, Option
from pagetrail.annotation.protocols.key_bindings import workspace_letters
from pagetrail.annotation.protocols.protocol import Contradiction, Protocol


def replaced_keys(protocol: Protocol) -> list[str]:
    """What the options and labels of a stored protocol take from the screen, as sentences."""
    letters = workspace_letters(protocol)
    labels = protocol.boxes.labels if protocol.boxes.enabled else ()
    claims = [(label.key, f"labels a box as “{label.name}”") for label in labels]
    claims += [
        (option.key, f"chooses “{option.label}” in “{field.label}”")
        for field in protocol.fields
        for option in field.options
    ]
    return [
        f"The key {key} {does}, so where it does, it no longer means “{letters[key.lower()]}”."
        for key, does in claims
        if key and key.lower() in letters
    ]


def key_collisions(protocol: Protocol) -> Iterator[Contradiction]:
    """Keys that would mean two things.

    For a new protocol only: a stored one still opens, and there the option or label has the key
    (`replaced_keys`).
    """
    used = {key: f"means “{label}”" for key, label in workspace_letters(protocol).items()}
    labels: dict[str, str] = {}
    if protocol.boxes.enabled:
        labels = {key.lower(): name for name, key in protocol.boxes.keys().items() if key}
        for index, label in enumerate(protocol.boxes.labels):
            if label.key and label.key.lower() in used:
                yield _conflict(f"boxes.labels.{index}.key", label.key, used[label.key.lower()])
    field_keys: dict[str, str] = {}
    for index, field in enumerate(protocol.fields):
        for at, option in enumerate(field.options):
            if option.key is None:
                continue
            path, key = f"fields.{index}.options.{at}.key", option.key.lower()
            if key in used:
                yield _conflict(path, option.key, used[key])
            elif field.scope == "box" and key in labels:
                yield _conflict(path, option.key, f"labels a box as {labels[key]!r}")
            elif key in field_keys and _always(field, option):
                yield _conflict(path, option.key, f"chooses {field_keys[key]}")
            if _always(field, option):
                field_keys.setdefault(key, f"{option.value!r} of {field.name!r}")


def _conflict(path: str, key: str, does: str) -> Contradiction:
    return Contradiction(path, f"{key!r} already {does}; choose another key")


def _always(field: FieldSpec, option: Option) -> bool:
    return field.when is None and option.when is None
