"""Keys pressed faster than anybody looks, and what they judged, as the screen shows it."""

from __future__ import annotations

from dataclasses import dataclass

from tests.e2e.support.screen import Screen

LOOK_MS = 400
"""How long something is on screen and under decision before it may be judged."""
_PRESS = """async ({ keys, seed, count, units, current, verdict }) => {
  const find = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.dataset?.testid === "workspace") return node;
      const below = node.shadowRoot && find(node.shadowRoot);
      if (below) return below;
    }
    return null;
  };
  const screen = find(document);
  const nodes = () => [...screen.querySelectorAll(units)];
  const idOf = ({ dataset }) => dataset.id ?? dataset.row ?? `${dataset.document} ${dataset.page}`;
  const verdicts = () => new Map(nodes().map((node) => {
    const judged = node.hasAttribute(verdict) ? node : node.querySelector(`[${verdict}]`);
    return [idOf(node), judged?.getAttribute(verdict) ?? ""];
  }));
  const pane = screen.querySelector("[data-testid=page-pane]");
  const here = () => {
    const node = nodes().find((one) => one.matches(current));
    return node && pane.getAttribute("aria-busy") === "false" ? idOf(node) : null;
  };
  let [unit, since] = [here(), performance.now()];
  const look = () => {
    const now = here();
    if (now !== unit) [unit, since] = [now, performance.now()];
  };
  const observer = new MutationObserver(look);
  observer.observe(screen, { attributes: true, childList: true, subtree: true });
  screen.addEventListener("focusin", look);
  screen.addEventListener("focusout", look);
  let state = seed;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const given = [];
  let last = null;
  for (let i = 0; i < count; i += 1) {
    await new Promise((done) => setTimeout(done, random() < 0.15 ? 650 : 50));
    look();
    const [pressedFor, age, before] = [unit, performance.now() - since, verdicts()];
    let target = document.activeElement;
    while (target?.shadowRoot?.activeElement) target = target.shadowRoot.activeElement;
    const key = keys[Math.floor(random() * keys.length)];
    const event = { key, bubbles: true, composed: true, cancelable: true };
    target.dispatchEvent(new KeyboardEvent("keydown", event));
    target.dispatchEvent(new KeyboardEvent("keyup", event));
    for (const [id, value] of verdicts()) {
      if (!before.has(id) || before.get(id) === value) continue;
      given.push({ key, judged: id, pressed_for: pressedFor, age_ms: age, again: id === last });
      last = id;
    }
  }
  observer.disconnect();
  return given;
}"""


@dataclass(frozen=True)
class Units:
    """What is judged on a screen, one after the other.

    Attributes:
        units: selector of all of them.
        current: what the one under decision matches.
        verdict: the attribute of it, or of something in it, that holds the verdict.
    """

    units: str
    current: str
    verdict: str


def check_random_keys(screen: Screen, units: Units, keys: str, *, seed: int) -> None:
    """Press random keys, 20 a second with pauses, and check each verdict that the screen shows.

    It is on what was under decision when the key was pressed, and that was on screen for 0.4 s, or
    was judged last.
    """
    screen.wait_until_judgeable()
    request = {"keys": keys.split(), "seed": seed, "count": 60, **vars(units)}
    given = screen.page.evaluate(_PRESS, request)
    assert len(given) >= 3, given
    wrong = [
        verdict
        for verdict in given
        if verdict["judged"] != verdict["pressed_for"]
        or (verdict["age_ms"] < LOOK_MS and not verdict["again"])
    ]
    assert not wrong, wrong
    screen.wait_until_saved()
    seen = [event.fields()["seen_ms"] for event in screen.events() if "seen_ms" in event.fields()]
    assert len(seen) >= len(given)
    assert min(seen) >= LOOK_MS, seen
