/**
 * The text of the open page for screen readers. Where a campaign shows page images only it comes
 * when it is asked for, and each page that is read so is recorded.
 */

import { effect } from "@preact/signals";
import { ApiError } from "../../shared/api";
import { t } from "../../shared/messages";
import { samePlace } from "../../shared/places";
import type { Workspace } from "../workspace";
import { recordedRequest } from "./recorded_request";
import { paragraphs } from "./word_text";

// Pages that are leafed through are not read.
const SETTLE_MS = 700;

/** Whether the campaign shows words of pages anyway. */
export const hasFreeWords = ({ boxes, text }: Pt.Protocol) =>
  boxes.enabled || text.select || text.find;

type ReadScreen = Pick<Workspace, "attempt" | "boxes" | "layout" | "store" | "viewer">;

export class SpokenText {
  private key: string | null = null;
  private timer = 0;

  constructor(private readonly screen: ReadScreen) {
    const { store, viewer } = screen;
    effect(() => {
      const page = store.page.value;
      const key = page && `${page.page}/${page.document}/${store.attempt.value}`;
      if (key === this.key) return;
      this.key = key;
      viewer.stage.setText([]);
      window.clearTimeout(this.timer);
      const { protocol, layout } = store.data;
      if (page && (hasFreeWords(protocol) || (layout.spoken && protocol.text.spoken)))
        this.timer = window.setTimeout(() => void this.show(), SETTLE_MS);
    });
  }

  /** Somebody wants pages as text, or no longer. */
  toggle() {
    const { store, layout, viewer } = this.screen;
    const spoken = store.data.layout.spoken !== true;
    layout.set({ spoken });
    viewer.stage.setText([]);
    if (spoken) void this.show();
  }

  private async show() {
    const { attempt, boxes, store, viewer } = this.screen;
    const { page, protocol } = store.data;
    if (!page) return;
    const isFree = hasFreeWords(protocol);
    const place = { document: page.document, page: page.page };
    const send = (id: string, request: Pt.PageTextRequest) => attempt.api.pageText(id, request);
    let words: Pt.Word[];
    try {
      words = isFree
        ? await boxes.words.load(place)
        : ((await recordedRequest(attempt, send, place))?.words ?? []);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      words = [];
    }
    if (!samePlace(store.data.page, place)) return;
    const texts = paragraphs(words);
    viewer.stage.setText(texts);
    if (!texts.length) viewer.stage.announce(t("This page has no text that can be read out."));
    else if (!isFree) viewer.stage.announce(t("The text of the page is after its image."));
  }
}
