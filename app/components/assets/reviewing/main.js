/**
 * One task under review, a Streamlit v2 component in plain ES modules.
 *
 * main.js        mount: one screen per root, style sheets first
 * reviewing.js   the screen: its parts, keys and actions
 * session.js     the task, the selections, requests in order; requests.js: sent until answered
 * queue.js       the queue that the task was opened from
 * comparison/    the comparison: one column per person, one row per part
 * decision/      selections, the gold draft, and what the reviewer does with the task
 * page/          one page with everybody's boxes
 * ../shared/     elements, page images, dialogs and colours of all components
 */

const SHEETS = [
  "../shared/base.css",
  "../shared/panels.css",
  "../shared/viewer.css",
  "./reviewing.css",
  "./comparison.css",
];
const MODULES = [
  "comparison/cells",
  "comparison/comparison_rows",
  "comparison/comparison_table",
  "comparison/evidence_diagram",
  "comparison/evidence_sets",
  "comparison/page_rows",
  "comparison/page_thumbnails",
  "comparison/person_column",
  "comparison/text_differences",
  "decision/comment_dialogs",
  "decision/decide",
  "decision/decision_bar",
  "decision/gold_panel",
  "decision/pending_work",
  "decision/selections",
  "decision/stored_draft",
  "decision/unsaved_selections",
  "formatting",
  "page/annotator_boxes",
  "page/page_box_list",
  "page/page_pane",
  "person_styles",
  "question_box",
  "queue",
  "requests",
  "reviewing",
  "session",
  "shortcuts",
  "top_bar",
];
const screens = new WeakMap();
/** @param {string} name */
const address = (name) => new URL(name, import.meta.url).href;

// Everything at once instead of one round trip for each level of imports.
for (const name of MODULES) {
  const link = document.createElement("link");
  Object.assign(link, { rel: "modulepreload", href: address(`./${name}.js`) });
  document.head.append(link);
}
const loading = import("./reviewing.js");

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
 * Show the screen. Called again on every rerun of the Streamlit script, with or without a cleanup
 * in between; the screen and what was chosen in it belong to the root and live on.
 * @param {{data: any, parentElement: ShadowRoot|HTMLElement}} component
 * @returns {() => void} cleanup
 */
export function mount({ data, parentElement: root }) {
  let entry = screens.get(root);
  if (!entry) {
    entry = { data, screen: null };
    screens.set(root, entry);
    Promise.all([loading, style(root)]).then(
      ([{ Reviewing }]) => {
        entry.screen = new Reviewing(root, entry.data);
      },
      () => {
        const sentence = document.createElement("p");
        sentence.setAttribute("role", "alert");
        sentence.textContent = "The review could not be loaded. Reload the page.";
        root.append(sentence);
      },
    );
  } else {
    const previous = entry.data;
    entry.data = data;
    entry.screen?.rerun(data, previous);
  }
  return () => {
    // Streamlit may clean up a superseded call after the next one; only a root that is gone ends.
    setTimeout(() => {
      if (("host" in root ? root.host : root).isConnected) return;
      entry.screen?.destroy();
      screens.delete(root);
    });
  };
}

export default mount;
