"""The HTML page of the screens: Streamlit's, in the person's theme and language.

Streamlit's client keeps the theme in the browser, for each path. The page's script writes the
account's there before the client starts, so that no other theme is painted first. It also names the
server's address: otherwise the client would look for it below the screen's, where nothing answers.
"""

from __future__ import annotations

from pagetrail.annotation.messages import current_language
from pagetrail.app.server.content_policy import INDEX
from pagetrail.app.services.addresses import HOME
from pagetrail.storage.people.preferences import Theme

_SCRIPT = """<script>
      (() => {
        window.__streamlit = { BACKEND_BASE_URL: new URL("{home}", location.href).href };
        const root = document.documentElement;
        root.dataset.screen = location.pathname.split("/").pop();
        const theme = root.dataset.theme;
        root.style.colorScheme = theme === "System" ? "light dark" : theme.toLowerCase();
        try {
          localStorage.setItem(`stActiveTheme-${location.pathname}-v2`, JSON.stringify(theme));
        } catch {
          // Without storage the client follows the device.
        }
      })();
    </script>""".replace("{home}", HOME)
_STYLE = """<style>
      html[data-screen="task"]:not(:has(.stElementContainer)) .stMainBlockContainer {
        padding: 0;
        max-width: none;
      }
    </style>"""
"""The task's screen has its width from the start, so that nothing on it moves as it arrives."""
_HTML, _HEAD = '<html lang="en">', "<head>"


def _with_script(page: str) -> str:
    assert page.count(_HTML) == 1 and page.count(_HEAD) == 1, "Streamlit's page has changed"
    return page.replace(_HEAD, f"{_HEAD}\n    {_SCRIPT}\n    {_STYLE}")


TEMPLATE = _with_script(INDEX.read_text(encoding="utf-8"))


def screen_page(theme: Theme) -> str:
    """The page in a theme and the current language."""
    language = current_language().replace("_", "-")
    return TEMPLATE.replace(_HTML, f'<html lang="{language}" data-theme="{theme.title()}">')
