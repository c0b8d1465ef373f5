/** Above everything: which task, its status, who has it, and the way to the others. */

import { iconButton } from "../shared/buttons";
import { fill, h, setAttr, setText } from "../shared/dom";
import { icon } from "../shared/icons";
import { sentence } from "../shared/sentences";
import { share } from "./formatting";
import { placeWords } from "./queue";

export class TopBar {
  actions: Pt.Actions;
  where: HTMLSpanElement;
  status: HTMLSpanElement;
  flag: HTMLSpanElement;
  score: HTMLSpanElement;
  place: HTMLSpanElement;
  holder: HTMLSpanElement;
  take: HTMLButtonElement;
  previous: HTMLButtonElement;
  next: HTMLButtonElement;
  queue: HTMLAnchorElement;
  element: HTMLElement;
  mode: string | undefined;

  /**
   * @param actions take(), release(), over(), step(by), guidelines(), help(), and queue (address)
   */
  constructor(actions: Pt.Actions) {
    this.actions = actions;
    this.where = h("span", { class: "task-where inline nowrap", testid: "where" });
    this.status = h("span", { class: "status-chip pill", testid: "status" });
    this.flag = h("span", { class: "flagged inline", testid: "flagged" }, icon("flag"), "Flagged");
    this.score = h("span", { class: "number nowrap", testid: "score" });
    this.place = h("span", { class: "number", testid: "queue-place" });
    this.holder = h("span", {
      class: "holder quiet number nowrap",
      testid: "holder",
      role: "status",
    });
    this.take = h("button", {
      class: "button small",
      testid: "take-task",
      on: { click: () => this.press() },
    });
    const step: (name: string, label: string, by: number) => HTMLButtonElement = (
      name,
      label,
      by,
    ) => iconButton(name, label, () => actions.step(by));
    this.previous = step("previous", "Previous task in the queue (Ctrl+←)", -1);
    this.next = step("next", "Next task in the queue (Ctrl+→)", 1);
    this.queue = h(
      "a",
      { class: "button small quiet-button", testid: "to-queue" },
      icon("home"),
      "Queue",
    );
    this.element = h(
      "header",
      { class: "review-top line" },
      this.queue,
      this.where,
      this.status,
      this.flag,
      this.score,
      h("span", { class: "spacer" }),
      this.holder,
      this.take,
      h("span", { class: "inline nowrap" }, this.previous, this.place, this.next),
      iconButton("book", "Guidelines (i)", () => actions.guidelines()),
      iconButton("help", "Keys (?)", () => actions.help()),
    );
  }

  press() {
    if (this.mode === "over") this.actions.over();
    else if (this.mode === "release") this.actions.release();
    else this.actions.take();
  }

  update({ data, decided }: Pt.ReviewView) {
    const { task, queue, holder, me } = data;
    this.queue.href = this.actions.queue(data);
    fill(
      this.where,
      h("span", { class: "ellipsis", text: task.campaign, title: task.title, testid: "campaign" }),
      h("span", { class: "quiet", text: task.code_name }),
      h("strong", { text: task.key }),
    );
    setText(this.status, sentence(`review.${data.status}`));
    setAttr(this.status, "data-status", data.status);
    this.flag.hidden = !data.flagged;
    setText(this.score, data.parts.length ? `Difference ${share(data.score)}` : "");
    this.score.title = "Mean difference over the parts: 0 is the same, 1 is completely different";
    const { text, title } = placeWords(queue);
    setText(this.place, text);
    this.place.title = title;
    this.queue.title = queue.filtered
      ? "Back to the queue as you filtered it"
      : queue.campaigns > 1
        ? "Back to the queue of all campaigns"
        : "Back to the queue";
    this.previous.disabled = !queue.previous;
    this.next.disabled = !queue.next;
    this.mode = holder === me ? "release" : holder ? "over" : "take";
    setText(
      this.holder,
      decided ? "" : holder === me ? "Taken by you" : holder ? `Taken by ${holder}` : "",
    );
    this.holder.classList.toggle("other", Boolean(holder) && holder !== me);
    setText(
      this.take,
      ({ release: "Put back", over: "Take over", take: "Take" } as any)[this.mode],
    );
    this.take.title = (
      {
        release: "Put it back, for others to take (t)",
        over: `${holder} may be working on it; take it over all the same`,
        take: "Show the others that you are working on it (t); your first choice does it too",
      } as any
    )[this.mode];
    this.take.hidden = decided;
  }
}
