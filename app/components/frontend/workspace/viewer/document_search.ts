import { effect, signal, untracked } from "@preact/signals";
import { createRef } from "preact";
import { ApiError } from "../../shared/api";
import { t } from "../../shared/messages";
import { grouped } from "../../shared/notation";
import { samePlace } from "../../shared/places";
import type { Workspace } from "../workspace";
import type { FindBarProps } from "./FindBar";
import { recordedRequest } from "./recorded_request";
import { findWords, normalised } from "./word_text";

interface Hit {
  page: number;
  /** counts from 0 on its page */
  at: number;
}

/**
 * The hits of a document, one after the other.
 * @param pages number and hits of each page with hits
 */
export const everyHit = (pages: [number, number][]): Hit[] =>
  pages.flatMap(([page, n]) => Array.from({ length: n }, (_, at) => ({ page, at })));

type SearchedScreen = Pick<Workspace, "attempt" | "boxes" | "commands" | "store" | "viewer">;

/** Looks for a text in the open document: hits are counted, outlined, and gone to. */
export class DocumentSearch {
  private readonly isOpen = signal(false);
  private readonly count = signal("");
  private readonly input = createRef<HTMLInputElement>();
  readonly bar: FindBarProps = {
    isOpen: this.isOpen,
    count: this.count,
    input: this.input,
    onStep: (by, stamp) => void this.run(by, stamp),
    onClose: () => this.close(),
  };
  private hits: Hit[] = [];
  private hitIndex = -1;
  /** what was looked for, and in which document */
  private key = "";
  private document = "";
  private text = "";

  constructor(private readonly screen: SearchedScreen) {
    screen.commands.register("find", () => this.open());
    const { tracked } = screen.store;
    effect(() => {
      const { page, protocol, attempt } = tracked;
      if (attempt) untracked(() => this.update(page, protocol.text.find));
    });
  }

  private update(page: Pt.OpenPage | null, isAllowed: boolean) {
    if (!page || !isAllowed) this.close();
    else if (this.key && page.document !== this.document) this.forget();
    if (this.isOpen.value) this.outline();
  }

  private open() {
    const { page, protocol } = this.screen.store.data;
    if (!page || !protocol.text.find) return false;
    this.isOpen.value = true; // its field takes the focus when it appears
    this.input.current?.focus();
    this.input.current?.select();
    return true;
  }

  private close() {
    if (!this.isOpen.value) return;
    const hadFocus = this.input.current?.closest(".find-bar")?.matches(":focus-within");
    this.isOpen.value = false;
    this.forget();
    if (hadFocus) this.screen.viewer.focusPage();
  }

  /** What was found is another document's, or another text's. */
  private forget() {
    this.hits = [];
    this.hitIndex = -1;
    this.key = "";
    this.count.value = "";
    this.screen.viewer.stage.setHits([]);
  }

  /** Go to the next hit; look first if the text is another. */
  private async run(by: 1 | -1, stamp: number) {
    const { page } = this.screen.store.data;
    const text = this.input.current?.value.trim() ?? "";
    if (!page || !normalised(text)) return;
    const key = `${normalised(text)}/${page.document}`;
    if (key === this.key) this.step(by, stamp);
    else await this.look(text, key, page);
  }

  private async look(text: string, key: string, page: Pt.Place) {
    this.forget();
    this.key = key;
    this.document = page.document;
    this.count.value = "…";
    const { attempt } = this.screen;
    let reply: Pt.TextFound | null;
    try {
      reply = await recordedRequest(attempt, (id, request) => attempt.api.find(id, request), {
        document: page.document,
        text,
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.forget();
      this.count.value = error.message;
      return;
    }
    if (!reply || key !== this.key) return;
    this.text = text;
    this.hits = everyHit(reply.pages);
    const next = this.hits.findIndex((hit) => hit.page >= page.page);
    this.hitIndex = Math.max(-1, next - 1); // all are before this page: from the first on
    this.step(1, performance.now());
  }

  private step(by: 1 | -1, stamp: number) {
    const { hits, screen } = this;
    if (!hits.length) {
      this.count.value = t("Not in this document");
      return;
    }
    this.hitIndex = (this.hitIndex + by + hits.length) % hits.length;
    this.count.value = t("{position} of {number}", {
      position: this.hitIndex + 1,
      number: grouped(hits.length),
    });
    const place = { document: this.document, page: hits[this.hitIndex].page };
    if (samePlace(screen.store.data.page, place)) this.outline();
    else if (screen.viewer.mayOpen(place)) screen.viewer.goTo(place, "find", stamp);
  }

  /** Outline the hits of the open page; the present one stands out and is brought into view. */
  private async outline() {
    const { store, boxes, viewer } = this.screen;
    viewer.stage.setHits([]);
    const { page } = store.data;
    if (!this.hits.length || !page) return;
    const words = await boxes.words.load({ document: page.document, page: page.page });
    if (store.data.page !== page || !this.hits.length) return;
    const found = findWords(words, this.text);
    const hit = this.hits[this.hitIndex];
    const present = hit?.page === page.page ? Math.min(hit.at, found.length - 1) : -1;
    viewer.stage.setHits(found, present);
    const at = found[present]?.[0];
    if (at) viewer.stage.reveal([at[0], at[1], at[2], at[3]]);
  }
}
