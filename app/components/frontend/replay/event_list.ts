/** The events of one attempt in words: of thousands, only those in sight have nodes. */

import { h, setAttr, setText } from "../shared/dom";
import { clockTime } from "./formatting";
import type { Track } from "./script_state";

const ROW = 28;
const SPARE = 6;

export class EventList {
  track: Track;
  host: { onJump: (seq: number) => void };
  rows: any[];
  current: number;
  spacer: HTMLDivElement;
  element: HTMLDivElement;
  top: number;
  high: number;
  observer: ResizeObserver;

  constructor(track: Track, host: { onJump: (seq: number) => void }) {
    this.track = track;
    this.host = host;
    this.rows = [];
    this.current = 0;
    this.spacer = h("div", {
      class: "event-spacer",
      role: "presentation",
      style: `height: ${track.length * ROW}px`,
    });
    this.element = h(
      "div",
      {
        class: "events",
        role: "list",
        testid: "replay-events",
        "aria-label": `Events of ${track.data.name}`,
        on: { scroll: () => this.scrolled() },
      },
      this.spacer,
    );
    // Known here, so that no event has to ask for them and wait for the page's layout.
    this.top = 0;
    this.high = 0;
    this.observer = new ResizeObserver(([{ contentRect }]) => {
      this.high = contentRect.height;
      this.mark(this.current);
    });
    this.observer.observe(this.element);
  }

  scrolled() {
    const top = this.element.scrollTop;
    if (Math.abs(top - this.top) < 1) return;
    this.top = top;
    this.fill();
  }

  row() {
    const time = h("span", { class: "event-time number" });
    const text = h("span", { class: "ellipsis" });
    const button = h(
      "button",
      {
        type: "button",
        class: "event bare list-row inset-focus medium",
        testid: "replay-event",
        on: { click: () => this.host.onJump(row.seq) },
      },
      time,
      text,
    );
    const item = h("div", { class: "event-row", role: "listitem" }, button);
    const row = { item, button, time, text, seq: 0 };
    this.spacer.append(item);
    return row;
  }

  /** Put the rows that are in sight where they belong. */
  fill() {
    if (!this.high) return;
    const first = Math.max(0, Math.floor(this.top / ROW) - SPARE);
    const last = Math.min(this.track.length, Math.ceil((this.top + this.high) / ROW) + SPARE);
    while (this.rows.length < last - first) this.rows.push(this.row());
    this.rows.forEach((row, i) => {
      const index = first + i;
      row.item.hidden = index >= last;
      if (index < last) this.show(row, index);
    });
  }

  show(row: any, index: number) {
    const [t, lane, text] = this.track.data.moments[index];
    row.seq = index + 1;
    row.item.style.transform = `translateY(${index * ROW}px)`;
    setAttr(row.item, "aria-setsize", this.track.length);
    setAttr(row.item, "aria-posinset", row.seq);
    setAttr(row.button, "data-seq", row.seq);
    setAttr(row.button, "data-lane", lane);
    setAttr(row.button, "title", text);
    setAttr(row.button, "aria-current", row.seq === this.current ? "true" : null);
    row.button.classList.toggle("to-come", row.seq > this.current);
    setText(row.time, this.track.data.timed ? clockTime(t) : `${row.seq}`);
    setText(row.text, text);
  }

  /** Mark the last event that has happened, and keep it in sight. */
  mark(seq: number) {
    this.current = seq;
    const top = (seq - 1) * ROW;
    if (this.high && (top < this.top + ROW || top > this.top + this.high - 2 * ROW)) {
      const most = Math.max(0, this.track.length * ROW - this.high);
      this.top = Math.min(most, Math.max(0, Math.round(top - this.high / 2)));
      this.element.scrollTop = this.top;
    }
    this.fill();
  }

  destroy() {
    this.observer.disconnect();
  }
}
