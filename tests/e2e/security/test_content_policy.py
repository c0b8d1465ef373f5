"""The Content-Security-Policy in a browser: injected scripts do not run.

That screens work without a violation is seen in ``screens/test_every_screen.py``.
"""

from __future__ import annotations

from tests.e2e.conftest import OpenScreen
from tests.e2e.support.browsers import wait_for
from tests.e2e.support.screen import Watch

_INJECTED = """() => {
  const script = document.createElement("script");
  script.textContent = "window.ranInline = true";
  const image = document.createElement("div");
  image.innerHTML = '<img src="data:," onerror="window.ranHandler = true">';
  const foreign = document.createElement("script");
  foreign.src = "https://elsewhere.example/x.js";
  document.body.append(script, image, foreign);
  // What Playwright evaluates is free to read text as code; what it leaves behind is not.
  setTimeout(() => {
    try {
      window.ranText = new Function("return true")();
    } catch (error) {
      window.refusedText = error.name;
    }
  });
}"""


def test_injected_scripts_do_not_run(screen_of: OpenScreen, watch: Watch) -> None:
    """Neither an inline script nor a handler, nor text as code, nor another site's file."""
    watch.allow(r"Content Security Policy", r"Content-Security-Policy")
    page = screen_of("alma", "q1").page
    with page.expect_event("console", lambda message: "elsewhere.example" in message.text):
        page.evaluate(_INJECTED)
    wait_for(page, "() => window.refusedText || window.ranText")
    ran = page.evaluate("[window.ranInline, window.ranHandler, window.ranText]")
    assert ran == [None, None, None]
    assert page.evaluate("window.refusedText") == "EvalError"
