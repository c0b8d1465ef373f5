"""How a component's modules come into the page: Streamlit gets a loader, which imports them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pagetrail.app.routes.assets import entry
from pagetrail.app.services.addresses import PREFIX

_LOADER = """
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
    """The component whose modules lie in the folder of that name; called to mount it."""
    return st.components.v2.component(f"pagetrail.{name}", js=_LOADER % entry(PREFIX, name))
