/**
 * The text of the open page for screen readers. Where a campaign shows page images only it comes
 * when it is asked for, and each page that is read so is recorded.
 */

import { ApiError } from "../../shared/api";
import { fill, h, setAttr } from "../../shared/dom";
import { t } from "../../shared/messages";
import { samePlace } from "../../shared/places";
import type { Workspace } from "../workspace";
import { recordedRequest } from "./recorded_request";
import { paragraphs } from "./word_text";

// Pages that are leafed through are not read.
const SETTLE_MS = 700;

export class SpokenText {
  screen: Workspace;
  text: HTMLDivElement;
  toggle: HTMLButtonElement;
  key: any;
  timer: number | undefined;

  constructor(screen: Workspace) {
    this.screen = screen;
    this.text = h("div", { class: "unseen page-text", lang: "", testid: "page-text" });
    this.toggle = h("button", {
      class: "button small spoken-toggle",
      testid: "page-text-toggle",
      text: t("Read the page as text"),
      on: { click: () => this.ask() },
    });
    screen.viewer.stage.frame.append(this.text);
    screen.viewer.stage.element.prepend(this.toggle);
    screen.store.watch(["page", "protocol", "layout"], (data) => data.state && this.update(data));
  }

  /** Whether the campaign shows words of pages anyway. */
  get free() {
    const { boxes, text } = this.screen.store.data.protocol;
    return boxes.enabled || text.select || text.find;
  }

  update({ page, layout, attempt }: Pt.WorkspaceData) {
    this.toggle.hidden = this.free || !page;
    setAttr(this.toggle, "aria-pressed", String(layout.spoken === true));
    const key = page && `${page.page}/${page.document}/${attempt}`;
    if (key === this.key) return;
    this.key = key;
    this.text.replaceChildren();
    clearTimeout(this.timer);
    if (page && (this.free || layout.spoken)) this.timer = setTimeout(() => this.show(), SETTLE_MS);
  }

  /** Somebody wants pages as text, or no longer. */
  ask() {
    const spoken = this.screen.store.data.layout.spoken !== true;
    this.screen.layout.set({ spoken });
    this.text.replaceChildren();
    if (spoken) this.show();
  }

  async show() {
    const { attempt, boxes, store, viewer } = this.screen;
    const { page } = store.data;
    if (!page) return;
    const place = { document: page.document, page: page.page };
    let words: Pt.Word[];
    try {
      words = this.free
        ? await boxes.words.load(place)
        : ((await recordedRequest(attempt, "pageText", place))?.words ?? []);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      words = [];
    }
    if (!store.data.page || !samePlace(store.data.page, place)) return;
    const lines = paragraphs(words);
    fill(this.text, ...lines.map((text) => h("p", { text })));
    if (!lines.length) viewer.stage.say(t("This page has no text that can be read out."));
    else if (!this.free) viewer.stage.say(t("The text of the page is after its image."));
  }
}
