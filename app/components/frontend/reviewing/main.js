/**
 * One task under review, a Streamlit v2 component in plain ES modules.
 *
 * main.js        mount: one screen per root, style sheets first
 * reviewing.js   the screen: its parts; actions.js: keys and clicks; messages.js: what it tells
 * session.js     requests in order, problems.js what their failures mean, requests.js sent until
 *                answered; reviewed_task.js: the task, the selections and the draft
 * queue.js       the queue that the task was opened from
 * comparison/    the comparison: one column per person, one row per part
 * decision/      selections, the gold draft, and what the reviewer does with the task
 * page/          one page with everybody's boxes
 * ../shared/     elements, page images, dialogs and colours of all components
 */

import { mounting } from "../shared/mounting.js";
import { useSentences } from "../shared/sentences.js";

const SHEETS = ["./page.css", "./comparison.css", "./evidence.css", "./reviewing.css"];

export const mount = mounting({
  sheets: SHEETS.map((name) => new URL(name, import.meta.url).href),
  loading: import("./reviewing.js"),
  failure: "The review could not be loaded. Reload the page.",
  show({ Reviewing }, root, { data }, reviewing, previous) {
    useSentences(data.sentences);
    if (!reviewing) return new Reviewing(root, data);
    reviewing.rerun(data, previous);
    return reviewing;
  },
  close: (reviewing) => reviewing.destroy(),
});

export default mount;
