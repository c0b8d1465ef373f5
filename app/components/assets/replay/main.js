/** Loads the replay's styles and modules, and shows it in the place that Streamlit gives it. */

const SHEETS = ["../shared/base.css", "../shared/viewer.css", "./replay.css"];
const replays = new WeakMap();
/** @param {string} name */
const address = (name) => new URL(name, import.meta.url).href;
const loading = import("./replay.js");

/**
 * Link the style sheets; resolves once they apply.
 * @param {any} root
 */
function style(root) {
  const loads = SHEETS.map((name) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address(name);
    return new Promise((resolve) => {
      link.addEventListener("load", resolve);
      link.addEventListener("error", resolve);
      root.append(link);
    });
  });
  return Promise.all(loads);
}

/**
 * @param {any} entry
 * @param {any} root
 * @param {any} Replay
 */
function present(entry, root, Replay) {
  if (entry.replay && entry.signature === entry.data.signature) {
    entry.replay.refresh(entry.data);
    return;
  }
  const before = entry.replay;
  before?.destroy();
  entry.signature = entry.data.signature;
  entry.replay = new Replay(root, entry.data, before);
}

/**
 * Show the replay. Called again on every rerun of the Streamlit script; as long as the attempts are
 * the same, what is on screen goes on.
 * @param {{data: any, parentElement: ShadowRoot|HTMLElement}} component
 * @returns {() => void} cleanup
 */
export function mount({ data, parentElement: root }) {
  let entry = replays.get(root);
  if (!entry) {
    entry = { replay: null };
    replays.set(root, entry);
    entry.ready = Promise.all([loading, style(root)]).then(([module]) => module.Replay);
    entry.ready.catch(() => {
      const sentence = document.createElement("p");
      sentence.setAttribute("role", "alert");
      sentence.textContent = "The replay could not be loaded. Reload the page.";
      root.append(sentence);
    });
  }
  entry.data = data;
  entry.ready.then(
    (/** @type {any} */ Replay) => present(entry, root, Replay),
    () => {},
  );
  return () => {
    // Streamlit may clean up a superseded call after the next one; only a root that is gone ends.
    setTimeout(() => {
      if (("host" in root ? root.host : root).isConnected) return;
      entry.replay?.destroy();
      replays.delete(root);
    });
  };
}

export default mount;
