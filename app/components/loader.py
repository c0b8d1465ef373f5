"""Loading a component's modules into the page: Streamlit gets a loader, which imports them."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from pagetrail.app.routes.assets import entry, needed
from pagetrail.app.services.addresses import PREFIX

_LOADER = """
for (const href of %s) {
  const kind = href.endsWith(".css") ? { rel: "preload", as: "style" } : { rel: "modulepreload" };
  document.head.append(Object.assign(document.createElement("link"), kind, { href }));
}
const loaded = import(new URL(%r, window.location.origin).href);
export default function (component) {
  let cleanup = null;
  let gone = false;
  loaded.then((module) => {
    if (!gone) cleanup = module.mount(component);
  });
  return () => {
    gone = true;
    if (cleanup) cleanup();
  };
}
"""


def component(name: str) -> Any:
    """The component with its modules in the folder of that name; call it to mount it."""
    return st.components.v2.component(
        f"pagetrail.{name}", js=_LOADER % (json.dumps(needed(PREFIX, name)), entry(PREFIX, name))
    )
