/** The accepted answers as the reviewer writes them, and what the dataset says. */

import { t } from "../../shared/messages";
import type { Session } from "../session";
import { DATASET, draftOfAnswer } from "./selections";
import { acceptedTexts } from "./stored_draft";

interface AnswerChoicesHost {
  /** Why nothing can be chosen now; empty where it can. */
  refused: () => string;
  say: (text: string) => void;
  select: (part: string) => void;
  takeFrom: (part: string, source: string) => void;
}

export class AnswerChoices {
  constructor(
    private readonly session: Session,
    private readonly host: AnswerChoicesHost,
  ) {}

  /** Open what the dataset says; once it is open, take its version of the current part. */
  dataset() {
    const { host, session } = this;
    const { dataset_gold: gold, has_dataset_gold: hasGold } = session.data;
    if (hasGold && !(gold && session.store.data.datasetOpen)) {
      void session.showDataset();
      return;
    }
    const parts = gold?.parts ?? [];
    const part = [session.store.data.part ?? "", "answer", ...parts].find((one) =>
      parts.includes(one),
    );
    if (part) host.takeFrom(part, DATASET);
    else host.say(t("The dataset has nothing to take here."));
  }

  /** Write the accepted answers in the gold's cell. */
  edit() {
    const { host, session } = this;
    const refused = host.refused();
    const row = session.store.rows.value.find(({ part }) => part === "answer");
    if (refused || !row?.ways.includes("edited")) {
      host.say(refused || t("This task takes no answer."));
      return;
    }
    const texts = acceptedTexts(session.store.draft.value);
    session.store.set({ answers: null }); // its fields are made again, and the last one gets the focus
    session.store.set({ answers: texts.length ? texts : [""] });
    host.select("answer");
  }

  /** The accepted answers as they were written. */
  write(texts: string[]) {
    if (this.host.refused()) return;
    const { store, data } = this.session;
    // Edits of a model's draft are recorded as such.
    const side = draftOfAnswer(store.choiceOf("answer"), data.model_drafts);
    const answer: Pt.PickRequest = { how: "edited", texts, ...(side ? { side } : {}) };
    this.session.pick((now) => ({ ...now, answer }));
  }
}
