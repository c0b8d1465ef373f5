"""Keys that protocols give to options and labels, and those that the workspace has for itself."""

from __future__ import annotations

from collections.abc import Iterator

from pagetrail.annotation.protocols.fields import FieldSpec, Option
from pagetrail.annotation.protocols.protocol import Protocol


def screen_keys(protocol: Protocol) -> dict[str, str]:
    """What the workspace's own letters do under a protocol; tested against its shortcuts.ts."""
    keys = {
        "e": "fits the whole page",
        "d": "keeps a page beside others",
        "f": "flags the task",
        "g": "goes to a page",
        "i": "opens the guidelines",
        "l": "goes back to the last place",
        "q": "shows question and results",
        "r": "turns the view",
        "s": "skips the task",
        "w": "fits the page to the width",
        "z": "shows the page alone",
    }
    if protocol.answer.kind != "off":
        keys["a"] = "goes to the answer"
    if protocol.evidence.enabled:
        keys["c"] = "cites the page"
    if protocol.boxes.enabled or protocol.text.select:
        keys["t"] = "selects text"
    if protocol.text.select and protocol.answer.kind != "off":
        keys["x"] = "copies selected words into the answer"
    if protocol.clock.pause:
        keys["p"] = "pauses"
    if protocol.pages != "search" and protocol.scoped("page"):
        keys["m"] = "goes to the next page with something missing"
    if any(field.kind != "records" for field in protocol.fields):
        keys["u"] = "goes to the next field without a value"
    if protocol.boxes.enabled:
        keys |= {
            "b": "draws boxes",
            "h": "hides the boxes",
            "j": "goes to the next box",
            "k": "goes to the previous box",
        }
        if protocol.boxes.seed:
            keys["v"] = "accepts an element"
    elif any(field.kind == "records" for field in protocol.fields):
        keys["j"] = "goes to the next row"
        if any(_replayed(field) for field in protocol.fields):
            keys |= {"k": "plays the steps", "n": "goes to the next step"}
    return keys


def _replayed(field: FieldSpec) -> bool:
    """Whether the table's rows are the steps of an attempt; as ``stepColumn`` in steps.ts."""
    has_locked_columns = any(not column.editable for column in field.columns)
    return field.scope == "task" and field.seed == "steps" and has_locked_columns


def replaced_keys(protocol: Protocol) -> list[str]:
    """What the options and labels of a stored protocol take from the screen, as sentences."""
    screen_actions = screen_keys(protocol)
    labels = protocol.boxes.labels if protocol.boxes.enabled else ()
    claims = [(label.key, f"labels a box as “{label.name}”") for label in labels]
    claims += [
        (option.key, f"chooses “{option.label}” in “{field.label}”")
        for field in protocol.fields
        for option in field.options
    ]
    return [
        f"The key {key} {does}, so where it does, it no longer {screen_actions[key.lower()]}."
        for key, does in claims
        if key and key.lower() in screen_actions
    ]


def key_collisions(protocol: Protocol) -> Iterator[str]:
    """Keys that would mean two things, as ``path: what is wrong``.

    For a new protocol only: a stored one still opens, and there the option or label has the key
    (`replaced_keys`).
    """
    used = screen_keys(protocol)
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


def _conflict(path: str, key: str, does: str) -> str:
    return f"{path}: {key!r} already {does}; choose another key"


def _always(field: FieldSpec, option: Option) -> bool:
    return field.when is None and option.when is None
