/** Shows the replay in the place that Streamlit gives it. */

import { mounting } from "../shared/mounting";
import "../shared/styles";
import { Replay } from "./replay";
import "./replay.css";

export const mount = mounting<Pt.ReplayData, Replay>({
  sheet: new URL("./replay.css", import.meta.url).href,
  show(root, { data }, replay, previous) {
    if (replay && data.signature === previous?.signature) {
      replay.refresh(data);
      return replay;
    }
    replay?.destroy();
    return new Replay(root, data, replay ?? undefined);
  },
  close: (replay) => replay.destroy(),
});
