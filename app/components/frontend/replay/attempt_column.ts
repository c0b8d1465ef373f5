/** One attempt: whose it is, its page, what it has so far, and its events. */

import { h, plural, setAttr } from "../shared/dom";
import { PageImages } from "../shared/page/page_images";
import { Now } from "./current_state";
import { EventList } from "./event_list";
import { clockTime } from "./formatting";
import { Pane } from "./page_pane";
import type { Track } from "./script_state";

const LISTS_MS = 100;
const CHOSEN = {
  label: "your choice",
  note: "You chose this page; the attempt shows its own with its next one.",
};

export class Column {
  track: Track;
  seq: number;
  chosen: { label: string; note: string; page: number } | null;
  told: number;
  pane: Pane;
  now: Now;
  list: EventList;
  element: HTMLElement;
  timer: number | undefined;

  lastSearch: any;

  place: any;

  constructor(
    track: Track,
    host: {
      imageUrl: (sha: string, page: number, dpi: number) => string;
      onJump: (seq: number) => void;
      /** whether it has the screen for itself */
      wide: boolean;
    },
  ) {
    this.track = track;
    this.seq = -1;
    this.chosen = null;
    this.told = -Infinity;
    this.pane = new Pane(track, new PageImages(host.imageUrl));
    this.now = new Now(track, { onPage: (page) => this.choose(page) });
    this.list = new EventList(track, { onJump: host.onJump });
    this.element = h(
      "section",
      {
        class: `replay-column column ${host.wide ? "wide" : "narrow"}`,
        "aria-label": track.data.name,
        testid: "replay-column",
      },
      this.head(),
      h(
        "div",
        { class: "column-body framed" },
        ...(host.wide
          ? [this.list.element, this.pane.element, this.now.element]
          : [this.pane.element, this.tabbed()]),
      ),
    );
  }

  head() {
    const { data } = this.track;
    const length = data.pace || clockTime(data.duration);
    return h(
      "header",
      { class: "column-head line" },
      h("h2", { text: data.name }),
      data.system ? h("span", { class: "pill", text: "System" }) : null,
      h("span", { text: data.state }),
      data.result
        ? h("span", {
            class: "pill",
            "data-tone": data.result.tone,
            title: data.result.parts,
            text: data.result.words,
          })
        : null,
      h("span", { class: "quiet", text: `${plural(this.track.length, "event")} · ${length}` }),
    );
  }

  /** In half the width there is room for one of the two. */
  tabbed() {
    const panels: [string, HTMLElement][] = [
      ["So far", this.now.element],
      ["Events", this.list.element],
    ];
    const buttons = panels.map(([name], i) =>
      h("button", {
        type: "button",
        class: "tab bare inset-focus medium",
        text: name,
        "aria-pressed": String(i === 0),
        on: { click: () => choose(i) },
      }),
    );
    const choose = (chosen: any) => {
      panels.forEach(([, panel], i) => {
        panel.hidden = i !== chosen;
        setAttr(buttons[i], "aria-pressed", String(i === chosen));
      });
      this.list.mark(Math.max(0, this.seq));
    };
    panels[1][1].hidden = true;
    return h(
      "div",
      { class: "tabbed column" },
      h("div", { class: "tabs" }, ...buttons),
      ...panels.map(([, p]) => p),
    );
  }

  /**
   * Show the state after an event.
   * @param hurried whether many events go by
   */
  show(seq: number, hurried: boolean) {
    if (seq === this.seq) return;
    const place = this.track.page(seq);
    const search = this.track.search(seq);
    if (place?.page !== this.place?.page || search !== this.lastSearch) this.chosen = null;
    this.seq = seq;
    this.place = place;
    this.lastSearch = search;
    this.paint(hurried);
    this.list.mark(seq);
    const next = hurried ? null : this.track.nextPage(seq);
    if (next !== null) this.pane.ahead(next);
  }

  paint(hurried = false) {
    this.pane.show(this.chosen ?? this.place, this.seq, hurried);
    const since = performance.now() - this.told;
    clearTimeout(this.timer);
    if (hurried && since < LISTS_MS) this.timer = setTimeout(() => this.tell(), LISTS_MS - since);
    else this.tell();
  }

  /** Bring the lists up to date; in a hurry not with every event. */
  tell() {
    this.told = performance.now();
    this.now.show(this.seq, (this.chosen ?? this.place)?.page ?? null);
  }

  /** Look at a page that was clicked, until the attempt goes on to another. */
  choose(page: number) {
    this.chosen = page === this.place?.page ? null : { page, ...CHOSEN };
    this.paint();
  }

  destroy() {
    clearTimeout(this.timer);
    this.pane.destroy();
    this.list.destroy();
  }
}
