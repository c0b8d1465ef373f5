"""The HTML page of the screens: Streamlit's, in the person's theme and language.

Streamlit's client keeps the theme in the browser, for each path. The page's script writes the
account's there before the client starts, so that no other theme is painted first. It also names the
server's address: otherwise the client would look for it below the screen's, where nothing answers.
A page that the browser kept whole and shows again leads to the sign-in page if nobody is signed in.
"""

from __future__ import annotations

from html import escape

from pagetrail.annotation.messages import current_language, gettext
from pagetrail.app.routes.assets import entry
from pagetrail.app.server.content_policy import INDEX
from pagetrail.app.services.addresses import HOME, PREFIX
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
        addEventListener("pageshow", async ({ persisted }) => {
          if (!persisted) return;
          const answer = await fetch(location.href, { redirect: "manual" }).catch(() => null);
          if (answer?.type === "opaqueredirect") location.reload();
        });
      })();
    </script>""".replace("{home}", HOME)
_STYLE = """<style>
      html[data-screen="task"]:not(:has(.stElementContainer)) .stMainBlockContainer {
        padding: 0;
        max-width: none;
      }
      #connection-notice {
        position: fixed;
        z-index: 1000000;
        inset: 72px 16px auto;
        max-width: 640px;
        margin: 0 auto;
        padding: 16px;
        border: 1px solid #b7791f;
        border-radius: 8px;
        color: #1c2430;
        background: #fff6e0;
        font: 16px/1.5 "Source Sans", "Source Sans Pro", system-ui, sans-serif;
      }
    </style>"""
"""The task's screen has its width from the start, so that nothing on it moves as it arrives. The
notice comes before any other style.
"""
_NOTICE = "<!-- connection notice -->"
_HTML, _HEAD = '<html lang="en">', "<head>"


def _with_script(page: str) -> str:
    assert page.count(_HTML) == 1 and page.count(_HEAD) == 1, "Streamlit's page has changed"
    return page.replace(_HEAD, f"{_HEAD}\n    {_SCRIPT}\n    {_STYLE}\n    {_NOTICE}")


TEMPLATE = _with_script(INDEX.read_text(encoding="utf-8"))


def screen_page(theme: Theme) -> str:
    """The page in a theme and the current language."""
    language = current_language().replace("_", "-")
    return TEMPLATE.replace(
        _HTML, f'<html lang="{language}" data-theme="{theme.title()}">'
    ).replace(_NOTICE, _notice())


def _notice() -> str:
    """The script that says why a screen stays empty; it has to run before Streamlit's."""
    blocked = gettext(
        "This screen needs a web socket, and something between your browser and Pagetrail blocks "
        "it: a proxy, a firewall or a browser extension. Nothing you did is lost. Tell whoever "
        "runs the server: the proxy has to pass on the headers Upgrade and Connection."
    )
    unreachable = gettext(
        "Pagetrail does not answer. This page goes on by itself as soon as it does."
    )
    attributes = {
        "src": entry(PREFIX, "page"),
        "data-prefix": PREFIX,
        "data-blocked": blocked,
        "data-unreachable": unreachable,
    }
    listed = " ".join(f'{name}="{escape(value)}"' for name, value in attributes.items())
    return f'<script type="module" {listed}></script>'
