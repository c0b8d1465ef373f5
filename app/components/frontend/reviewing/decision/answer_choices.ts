/** The accepted answers as the reviewer writes them, and what the dataset says. */

import type { Deciding } from "./decide";
import { DATASET } from "./selections";
import { acceptedTexts } from "./stored_draft";

export class AnswerChoices {
  deciding: Deciding;

  constructor(deciding: Deciding) {
    this.deciding = deciding;
  }

  /** Open what the dataset says; once it is open, take its version of the current part. */
  dataset() {
    const { screen, session } = this.deciding;
    const parts = session.data.dataset_gold?.parts ?? [];
    const part = [session.store.data.part ?? "", "answer", ...parts].find((one) =>
      parts.includes(one),
    );
    if (!part) screen.say("The dataset has nothing to take here.");
    else if (!session.store.data.datasetOpen) session.store.set({ datasetOpen: true });
    else this.deciding.takeFrom(part, DATASET);
  }

  /** Write the accepted answers in the gold's cell. */
  edit() {
    const { screen, session } = this.deciding;
    const refused = this.deciding.refused();
    const row = session.store.rows.value.find(({ part }) => part === "answer");
    if (refused || !row?.ways.includes("edited")) {
      screen.say(refused || "This task takes no answer.");
      return;
    }
    const texts = acceptedTexts(session.store.draft.value);
    session.store.set({ answers: null }); // its fields are made again, and the last one gets the focus
    session.store.set({ answers: texts.length ? texts : [""] });
    screen.select("answer");
  }

  /** The accepted answers as they were written. */
  write(texts: string[]) {
    const { session } = this.deciding;
    if (!this.deciding.refused())
      session.pick((now) => ({ ...now, answer: { how: "edited", texts } }));
  }
}
