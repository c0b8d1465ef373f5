"""Finds and starts the browser of tests and scripts, and pools its contexts."""

from __future__ import annotations

import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
"""The first has no interface of its own: a quarter less work per test."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--process-per-site",
    # A script that the process has compiled before would be parsed again as it arrives. This list
    # takes the place of Playwright's, of which the first counts here.
    "--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,ScriptStreaming,BackgroundResourceFetch",
]
SIZE: ViewportSize = {"width": 1366, "height": 768}
_MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def find_browser() -> str | None:
    """The first installed browser; those that Playwright downloads are not used."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    return program or (str(_MAC) if _MAC.is_file() else None)


def wait_for(page: Page, predicate: str, argument: Any = None, timeout_ms: int = 60_000) -> None:
    """Wait until a JavaScript function is true for the argument, looking at each frame.

    Playwright's ``wait_for_function`` evaluates text in the page, which its content policy refuses.

    Raises:
        playwright.sync_api.Error: it is not true in time.
    """
    page.evaluate(
        f"""async ([argument, timeout]) => {{
          const isTrue = {predicate};
          const end = performance.now() + timeout;
          while (!isTrue(argument)) {{
            if (performance.now() > end) throw new Error("waited in vain");
            await new Promise(requestAnimationFrame);
          }}
        }}""",
        [argument, timeout_ms],
    )


class ContextPool:
    """Contexts that are emptied and used again: an empty profile in a browser that is warm.

    A new one would fetch and compile all of Streamlit again, five seconds of processor time.
    The programs stay only where the server's address does. Of one context a tab stays open, which
    keeps the process in which the compiled programs are.

    Args:
        browser: where contexts are made.
        url: the server's address, without a slash at the end.
    """

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url
        self._free: defaultdict[str, list[tuple[BrowserContext, Page]]] = defaultdict(list)
        self._in_use: dict[BrowserContext, tuple[str, Page]] = {}

    def take(self, **options: Any) -> BrowserContext:
        """A context with these options, for ``give_back``."""
        kind = repr(sorted(options.items()))
        if self._free[kind]:
            context, parked = self._free[kind].pop()
        else:
            context = self._browser.new_context(**options)
            parked = context.new_page()
            parked.goto(f"{self._url}/healthz")
            context.on("close", lambda closed: self._in_use.pop(closed, None))
        self._in_use[context] = (kind, parked)
        return context

    def give_back(self, context: BrowserContext) -> None:
        """Close a context's tabs and clear their storage but not their cache.

        One that the test has closed is gone.
        """
        if context not in self._in_use:
            return
        kind, parked = self._in_use.pop(context)
        context.set_offline(False)
        context.clear_permissions()
        for page in context.pages:
            if page != parked:
                page.close()
        context.clear_cookies()
        session = context.new_cdp_session(parked)
        session.send("Storage.clearDataForOrigin", {"origin": self._url, "storageTypes": "all"})
        session.detach()
        self._free[kind].append((context, parked))
