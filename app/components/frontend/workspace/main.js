/**
 * Pagetrail's annotation workspace, a Streamlit v2 component in plain ES modules.
 *
 * main.js              mount: one Workspace per root, style sheets first, Streamlit's reruns
 * workspace.js         the screen: connects the parts to the store
 * screen_parts.js      creates the parts; task_modes.js adds verifying, records, writing, feedback
 * store_watchers.js    which part shows which of the store's values; problem_places.js: refusals
 * panel_visibility.js  which parts are visible
 * commands.js          what a person can do, by mouse or key; submission.js: submitting, skipping;
 *                      shortcuts.js: which key does what
 * state/               events → state, as the server computes it; what is asked and missing
 * sync/                sending events until acknowledged, other tabs, reloads, time, connection
 * viewer/              which page is open, its toolbar, thumbnails, words and text selection
 * boxes/               boxes on pages, and a model's elements: drawing, editing, verifying
 * fields/              fields of task, page and box; records; text boxes that save themselves
 * search/              search bar, results, and the filmstrip of given pages
 * panels/              panels beside the page, top bar, submitting, question checks, comments, pilot feedback
 * ../shared/           what several components use: DOM, dialogs, icons, page stage, boxes, theme
 *
 * A change is an event: commands call attempt.record, which shows its effect through
 * state/attempt_state.js and hands it to sync/outbox.js. Nothing else changes state. Boxes on pages
 * go into stage.boxes, an SVG group in page points; stage.toPagePoint and stage.toClientPoint
 * convert pointer positions.
 */

import { mounting } from "../shared/mounting.js";
import { useSentences } from "../shared/sentences.js";

const SHEETS = [
  "./top_bar.css",
  "./search.css",
  "./batch.css",
  "./answer.css",
  "./fields.css",
  "./filmstrip.css",
  "./viewer.css",
  "./reading.css",
  "./elements.css",
  "./records.css",
  "./checks.css",
  "./comments.css",
  "./layout.css",
];

export const mount = mounting({
  sheets: SHEETS.map((name) => new URL(name, import.meta.url).href),
  loading: import("./workspace.js"),
  failure: "The workspace could not be loaded. Reload the page.",
  show({ Workspace }, root, { data, setStateValue }, workspace, previous) {
    useSentences(data.sentences);
    const screen = workspace ?? new Workspace(root, data);
    screen.attempt.fallback.setStateValue = setStateValue;
    if (workspace) screen.rerun(data, previous);
    return screen;
  },
  close: (workspace) => workspace.deactivate(),
  keeps: true,
});

export default mount;
