/**
 * Pagetrail's annotation workspace, a Streamlit v2 component in TypeScript.
 *
 * main.ts              mount: one Workspace per root, style sheets first, Streamlit's reruns
 * workspace.ts         the screen's store, commands and islands, and what follows the store
 * WorkspaceScreen.tsx  which component or island is where
 * task_modes.ts        verifying, records, writing, feedback; problem_places.ts: refusals
 * panel_visibility.ts  which parts are visible
 * commands.ts          what a person can do, by mouse or key; submission.ts: submitting, skipping;
 *                      shortcuts.ts: which key does what
 * state/               events → state, as the server computes it; what is asked and missing
 * sync/                sending events until acknowledged, other tabs, reloads, time, connection
 * viewer/              the open page, its bars, thumbnails, words, text selection, the page beside
 * boxes/               boxes on pages, and a model's elements: drawing, editing, verifying
 * fields/              fields of task, page and box; records; text boxes that save themselves
 * search/              search bar, results, and the filmstrip of given pages
 * panels/              panels beside the page, top bar, submitting, question checks, comments, pilot feedback
 * ../shared/           what several components use: DOM, dialogs, icons, page stage, boxes, theme
 *
 * A change is an event: commands call attempt.record, which shows its effect through
 * state/attempt_state.ts and hands it to sync/outbox.ts. Nothing else changes state. Boxes on pages
 * go into stage.boxes, an SVG group in page points; stage.toPagePoint and stage.toClientPoint
 * convert pointer positions.
 */

import { mounting } from "../shared/mounting";
import "../shared/styles";
import { useSentences } from "../shared/sentences";
import { restoreWork } from "./sync/browser_storage";
import { Workspace } from "./workspace";
import "./viewer.css";
import "./reading.css";
import "./layout.css";

export const mount = mounting<Pt.WorkspaceScreenData, Workspace>({
  sheet: new URL("./workspace.css", import.meta.url).href,
  prepare: restoreWork,
  show(root, { data, setStateValue }, workspace, previous) {
    useSentences(data.sentences);
    const screen = workspace ?? new Workspace(root, data);
    screen.attempt.fallback.setStateValue = setStateValue;
    if (workspace && previous) screen.receive(data, previous);
    return screen;
  },
  close: (workspace) => workspace.deactivate(),
  keeps: true,
});
