import { batch, signal } from "@preact/signals";
import { t } from "../shared/messages";
import type { Track } from "./script_state";

const LISTS_MS = 100;

/** A page of an attempt, and how it is known that it was on screen. */
export interface ShownPage {
  page: number;
  label: string;
  note: string;
}

/** What is shown of one attempt; without DOM. */
export class AttemptView {
  /** the last event that has happened, 0 for none */
  readonly seq = signal(0);
  /** the event that lists are brought up to; follows `seq`, in a hurry not with every event */
  readonly listedSeq = signal(0);
  readonly page = signal<ShownPage | null>(null);
  /** whether many events go by */
  isHurried = false;
  private ownPage: ShownPage | null = null;
  private search: Pt.ReplayedSearch | null = null;
  private isChosen = false;
  private listedAt = -Infinity;
  private timer: number | undefined;

  constructor(readonly track: Track) {}

  /** Show the state after an event. */
  show(seq: number, hurried: boolean) {
    const page = this.track.page(seq);
    const search = this.track.search(seq);
    this.isHurried = hurried;
    if (page?.page !== this.ownPage?.page || search !== this.search) this.isChosen = false;
    this.ownPage = page;
    this.search = search;
    batch(() => {
      this.seq.value = seq;
      if (!this.isChosen) this.page.value = page;
      this.list();
    });
  }

  /** Look at a page that was clicked, until the attempt goes on to another. */
  choose(page: number) {
    this.isChosen = page !== this.ownPage?.page;
    this.isHurried = false;
    this.page.value = this.isChosen
      ? {
          page,
          label: t("your choice"),
          note: t("You chose this page; the attempt shows its own with its next one."),
        }
      : this.ownPage;
  }

  destroy() {
    clearTimeout(this.timer);
  }

  private list() {
    clearTimeout(this.timer);
    const wait = this.listedAt + LISTS_MS - performance.now();
    if (this.isHurried && wait > 0) {
      this.timer = setTimeout(() => this.list(), wait);
      return;
    }
    this.listedAt = performance.now();
    this.listedSeq.value = this.seq.value;
  }
}
