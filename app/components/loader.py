"""Loads a component's modules into the page: Streamlit gets a loader that imports them.

A page has the modules of one version. After an upgrade, or if the proxy switches to a server of
another version, the new loader finds the old version's screen and reloads the page, which restores
what was typed. Two versions at once would show two screens.
"""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from pagetrail.annotation.messages import current_language
from pagetrail.app.routes import assets
from pagetrail.app.services.addresses import PREFIX

_LOADER = """
const version = %(version)s;
window.pagetrailVersion ??= version;
const outdated = window.pagetrailVersion !== version;
if (outdated) window.location.reload();
for (const href of outdated ? [] : %(needed)s) {
  const kind = href.endsWith(".css") ? { rel: "preload", as: "style" } : { rel: "modulepreload" };
  document.head.append(Object.assign(document.createElement("link"), kind, { href }));
}
const loaded = outdated
  ? new Promise(() => {})
  : import(new URL(%(entry)s, window.location.origin).href);
export default function (component) {
  let cleanup = null;
  let gone = false;
  loaded.then(
    (module) => {
      if (!gone) cleanup = module.mount(component);
    },
    () => {
      const problem = document.createElement("p");
      problem.setAttribute("role", "alert");
      problem.textContent = %(failure)s;
      component.parentElement.replaceChildren(problem);
    },
  );
  return () => {
    gone = true;
    if (cleanup) cleanup();
  };
}
"""


def messages_address() -> str | None:
    """Where the browser gets the messages in the language of the screen; None for English."""
    return assets.messages_address(PREFIX, current_language())


def component(name: str, *, failure: str) -> Any:
    """A component of the browser code; call it to mount it.

    Args:
        name: of its entry point.
        failure: the sentence that is shown where it cannot be loaded.
    """
    values = {
        "version": assets.current().version,
        "needed": assets.needed(PREFIX, name),
        "entry": assets.entry(PREFIX, name),
        "failure": failure,
    }
    loader = _LOADER % {key: json.dumps(value) for key, value in values.items()}
    return st.components.v2.component(f"pagetrail.{name}", js=loader)
