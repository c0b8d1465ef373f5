"""Collects the messages of all packages in ``app/locale/pagetrail.pot`` and updates translations.

    python -m scripts.extract_messages              # after changing a sentence
    python -m scripts.extract_messages --add de     # starts app/locale/de/LC_MESSAGES/pagetrail.po

Python calls ``gettext("…")``, ``ngettext("one", "many", n)``, their lazy forms and ``N_("…")``;
browser code calls ``t("…")``, ``tn("one", "many", n)`` and ``N_("…")``; pages in ``app/static``
have ``{{…}}``. Titles, labels, choices and explanations of protocol presets are messages too, and
so are the lines of their guidelines.
Locations have no line numbers and the template has no header with a date, so that it only changes
with the messages.
Translations are updated with the template: messages that are gone are dropped, and those that have
changed are in English until a translator has written a new one.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from pagetrail.annotation.protocols.preset_texts import guidelines_messages, preset_texts
from pagetrail.annotation.protocols.protocol import guidelines_names, preset_names
from pagetrail.app.routes.auth import PAGE_TEXT
from scripts.check_english import ROOT

PACKAGES = ("annotation", "app", "exports", "storage")
LOCALES = ROOT / "app" / "locale"
PRESETS = ROOT / "annotation" / "protocols" / "presets"
POT = LOCALES / "pagetrail.pot"
_PYTHON_KEYWORDS: dict[str, Any] = {
    "gettext": None,
    "ngettext": (1, 2),
    "lazy_gettext": None,
    "lazy_ngettext": (1, 2),
    "format_count": (1, 2),
    "N_": None,
}
_DECLARATIONS: Mapping[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "Chart": ((), ("title", "caption")),
    "Column": ((1, 3), ("label", "help")),
    "Format": ((), ("summary",)),
    "from_rows": ((1, 2), ("title", "question", "notes")),
    "Report": ((), ("facts",)),
    "Section": ((0, 2), ("title", "notes")),
}
"""Of reports and formats in ``exports/``: positions and names of arguments that screens show.

Files that are written stay English; screens translate what is declared here."""
_BROWSER_KEYWORDS: dict[str, Any] = {"t": None, "tn": (1, 2), "N_": None}
_BROWSER_OPTIONS = {"parse_template_string": True}


def catalogue() -> dict[Path, bytes]:
    """The template and the translations, brought up to it, by path."""
    template = _template()
    return {POT: _po_bytes(template, omit_header=True), **updated_translations(template)}


def _template() -> Catalog:
    catalog = Catalog(project="Pagetrail", charset="utf-8")
    for path, message, comments, context in _messages():
        name = path.relative_to(ROOT).as_posix()
        catalog.add(message, None, [(name, 1)], auto_comments=comments, context=context)
    return catalog


def _messages() -> Iterator[tuple[Path, Any, list[str], str | None]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for _line, message, comments, context in extract_from_file(
                "python", path, _PYTHON_KEYWORDS
            ):
                yield path, message, comments, context
    for path in sorted((ROOT / "exports").rglob("*.py")):
        for text in declared_texts(path.read_text(encoding="utf-8")):
            yield path, text, [], None
    for name in preset_names():
        for text in sorted(preset_texts(name)):
            yield PRESETS / f"{name}.toml", text, [], None
    for name in guidelines_names():
        for line in guidelines_messages(name):
            yield PRESETS / f"{name}.md", line, [], None
    for path in sorted((ROOT / "app" / "static").glob("*.html")):
        for text in PAGE_TEXT.findall(path.read_text(encoding="utf-8")):
            yield path, text, [], None
    for path in sorted((ROOT / "app" / "components").rglob("*.ts*")):
        yield from _browser_messages(path)


def declared_texts(source: str) -> Iterator[str]:
    """Literal labels, titles and notes of what ``_DECLARATIONS`` names."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        positions, keywords = _DECLARATIONS.get(name, ((), ()))
        arguments = [node.args[position] for position in positions if position < len(node.args)]
        arguments += [keyword.value for keyword in node.keywords if keyword.arg in keywords]
        for argument in arguments:
            parts: list[ast.expr | None] = [argument]
            if isinstance(argument, ast.List | ast.Tuple):
                parts = [*argument.elts]
            elif isinstance(argument, ast.Dict):
                parts = argument.keys
            for part in parts:
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value:
                    yield part.value


def _browser_messages(path: Path) -> Iterator[tuple[Path, Any, list[str], str | None]]:
    options = {**_BROWSER_OPTIONS, "jsx": path.suffix == ".tsx"}
    for _line, message, comments, context in extract_from_file(
        "javascript", path, _BROWSER_KEYWORDS, options=options
    ):
        yield path, message, comments, context


def _po_bytes(catalog: Catalog, *, omit_header: bool = False) -> bytes:
    out = BytesIO()
    write_po(out, catalog, omit_header=omit_header, sort_output=True, include_lineno=False)
    return out.getvalue()


def updated_translations(template: Catalog) -> dict[Path, bytes]:
    """Every language's translations, brought up to the template."""
    contents = {}
    for path in sorted(LOCALES.glob("*/LC_MESSAGES/pagetrail.po")):
        catalog = read_po(BytesIO(path.read_bytes()), locale=path.parents[1].name)
        created = catalog.creation_date
        catalog.update(template, no_fuzzy_matching=True)
        catalog.creation_date = created  # so that the file only changes with its messages
        catalog.obsolete.clear()
        contents[path] = _po_bytes(catalog)
    return contents


def add_language(language: str, template: Catalog) -> Path:
    """Start a language, with no message translated; returns the file for the translator."""
    path = LOCALES / language / "LC_MESSAGES" / "pagetrail.po"
    catalog = Catalog(locale=language, project="Pagetrail", charset="utf-8")
    catalog.update(template)
    path.parent.mkdir(parents=True)
    path.write_bytes(_po_bytes(catalog))
    return path


def main() -> None:
    """Write the template, add a language if asked to, and update translations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--add", metavar="LANGUAGE", help="such as de or pt_BR")
    if language := parser.parse_args().add:
        add_language(language, _template())
    for path, content in catalogue().items():
        path.write_bytes(content)


if __name__ == "__main__":
    main()
