/**
 * One task under review, a Streamlit v2 component in TypeScript.
 *
 * main.ts        mount: one screen per root, style sheets first
 * store.ts       the screen's signals, and what is computed of them
 * ReviewScreen   the root component; reviewing.tsx: what happens on the screen; actions.ts: keys
 * readiness.ts   what has been seen long enough to be decided
 * session.ts     requests in order, problems.ts what their failures mean, requests.ts sent until
 *                answered
 * queue.ts       the queue that the task was opened from
 * comparison/    the comparison: one column per person, one row per part
 * decision/      selections, the gold draft, and what the reviewer does with the task
 * page/          one page with everybody's boxes
 * ../shared/     elements, page images, dialogs and colours of all components
 */

import { mounting } from "../shared/mounting";
import "../shared/styles";
import { useSentences } from "../shared/sentences";
import { Reviewing } from "./reviewing";
import "./reviewing.css";

export const mount = mounting<Pt.ReviewScreenData, Reviewing>({
  sheet: new URL("./reviewing.css", import.meta.url).href,
  show(root, { data }, reviewing, previous) {
    useSentences(data.sentences);
    if (!reviewing) return new Reviewing(root, data);
    if (previous) reviewing.receive(data, previous);
    return reviewing;
  },
  close: (reviewing) => reviewing.destroy(),
});
