/**
 * Pagetrail's annotation workspace, a Streamlit v2 component in plain ES modules.
 *
 * main.js              mount: one Workspace per root, style sheets first, Streamlit's reruns
 * workspace.js         the screen: connects the parts to the store
 * screen_parts.js      creates the parts; task_modes.js adds verifying, records, writing, feedback
 * panel_visibility.js  which parts are visible
 * commands.js          what a person can do, by mouse or key; shortcuts.js: which key does what
 * state/               events → state, as the server computes it; what is asked and missing
 * sync/                sending events until acknowledged, other tabs, reloads, time, connection
 * viewer/              which page is open, its toolbar, thumbnails, words and text selection
 * boxes/               boxes on pages, and a model's elements: drawing, editing, verifying
 * fields/              fields of task, page and box; records; text boxes that save themselves
 * search/              search bar, results, and the filmstrip of given pages
 * panels/              side panels, top bar, submitting, question checks, comments, pilot feedback
 * ../shared/           what several components use: DOM, dialogs, icons, page stage, boxes, theme
 *
 * A change is an event: commands call attempt.record, which shows its effect through
 * state/attempt_state.js and hands it to sync/outbox.js. Nothing else changes state. Boxes on pages
 * go into stage.boxes, an SVG group in page points; stage.toPagePoint and stage.toClientPoint
 * convert pointer positions.
 */

const SHEETS = [
  "../shared/base.css",
  "../shared/panels.css",
  "./forms.css",
  "../shared/viewer.css",
  "./task_modes.css",
  "./comments.css",
];
const MODULES = [
  "../shared/api",
  "../shared/box_layer",
  "../shared/box_state",
  "../shared/dialogs",
  "../shared/dom",
  "../shared/guidelines",
  "../shared/icons",
  "../shared/label_palette",
  "../shared/label_styles",
  "../shared/page_geometry",
  "../shared/page_images",
  "../shared/page_stage",
  "../shared/pinch_zoom",
  "../shared/rectangles",
  "../shared/text_diff",
  "../shared/text_diff_view",
  "../shared/theme",
  "boxes/blocking_boxes",
  "boxes/box_commands",
  "boxes/drawing_rules",
  "boxes/element_list",
  "boxes/gestures",
  "boxes/inspector",
  "boxes/install",
  "boxes/page_boxes",
  "boxes/shortcuts",
  "boxes/snapping",
  "boxes/toolbar",
  "boxes/value_inputs",
  "boxes/verification",
  "commands",
  "fields/controls",
  "fields/field_commands",
  "fields/field_panel",
  "fields/fields",
  "fields/page_fields",
  "fields/record_cells",
  "fields/record_row",
  "fields/record_table",
  "fields/text_drafts",
  "fields/text_field",
  "panel_visibility",
  "panels/answer_panel",
  "panels/batch_panel",
  "panels/check_results",
  "panels/check_runner",
  "panels/comments",
  "panels/gold_draft",
  "panels/pilot_feedback",
  "panels/pilot_feedback_flow",
  "panels/question_editor",
  "panels/shown_record",
  "panels/submit",
  "panels/submit_summary",
  "panels/top_bar",
  "screen_parts",
  "search/filmstrip",
  "search/results",
  "search/search_bar",
  "search/search_request",
  "shortcuts",
  "state/attempt",
  "state/attempt_state",
  "state/form_state",
  "state/store",
  "sync/browser_storage",
  "sync/catch_up",
  "sync/outbox",
  "sync/presence",
  "sync/restore_queue",
  "sync/time_limit",
  "sync/working_time",
  "task_modes",
  "viewer/page_words",
  "viewer/text_selection",
  "viewer/thumbnail_marks",
  "viewer/thumbnails",
  "viewer/toolbar",
  "viewer/viewer",
  "workspace",
];
const screens = new WeakMap();
/** @param {string} name */
const address = (name) => new URL(`./${name}`, import.meta.url).href;

/**
 * @param {any} rel
 * @param {string} name
 * @param {string} [as]
 */
function preload(rel, name, as) {
  const link = document.createElement("link");
  Object.assign(link, { rel, href: address(name) });
  if (as) link.as = as;
  document.head.append(link);
}

// Everything at once instead of one round trip for each level of imports.
for (const name of SHEETS) preload("preload", name, "style");
for (const name of MODULES) preload("modulepreload", `${name}.js`);
const loading = import("./workspace.js");

/**
 * Link the style sheets; resolves once they apply, so that nothing is painted without them.
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
 * Show the workspace. Called again on every rerun of the Streamlit script, with or without a
 * cleanup in between; the screen and its state belong to the root and live on.
 * @param {{data: any, parentElement: ShadowRoot|HTMLElement, setStateValue: (...args: any[]) => any}} component
 * @returns {() => void} cleanup
 */
export function mount(component) {
  const { data, parentElement: root, setStateValue } = component;
  let entry = screens.get(root);
  if (!entry) {
    entry = { data, workspace: null, setStateValue };
    screens.set(root, entry);
    Promise.all([loading, style(root)]).then(
      ([{ Workspace }]) => {
        entry.workspace = new Workspace(root, entry.data);
        entry.workspace.attempt.fallback.setStateValue = (/** @type {any[]} */ ...args) =>
          entry.setStateValue(...args);
      },
      () => {
        const sentence = document.createElement("p");
        sentence.setAttribute("role", "alert");
        sentence.textContent = "The workspace could not be loaded. Reload the page.";
        root.append(sentence);
      },
    );
  } else {
    const previous = entry.data;
    entry.data = data;
    entry.workspace?.rerun(data, previous);
  }
  entry.setStateValue = setStateValue;
  return () => {
    // Streamlit may clean up a superseded call after the next one; only a root that is gone ends.
    setTimeout(() => {
      const removed = !("host" in root ? root.host : root).isConnected;
      if (removed) entry.workspace?.deactivate();
    });
  };
}

export default mount;
