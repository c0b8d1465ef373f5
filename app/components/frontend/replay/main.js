/** Loads the replay's styles and modules, and shows it in the place that Streamlit gives it. */

import { mounting } from "../shared/mounting.js";

const SHEETS = ["./attempt.css", "./replay.css"];

export const mount = mounting({
  sheets: SHEETS.map((name) => new URL(name, import.meta.url).href),
  loading: import("./replay.js"),
  failure: "The replay could not be loaded. Reload the page.",
  show({ Replay }, root, { data }, replay, previous) {
    if (replay && data.signature === previous.signature) {
      replay.refresh(data);
      return replay;
    }
    replay?.destroy();
    return new Replay(root, data, replay);
  },
  close: (replay) => replay.destroy(),
});

export default mount;
