/**
 * One attempt's script, asked what was on screen after an event. Without DOM.
 *
 * Events are named by their seq, 1, 2, 3 …; 0 is before the first. Pages are named by their place
 * in the script's list of pages.
 */

import type { TextMark } from "../shared/components/marked_text";

/** How many of a sorted list come at or before a value. */
export function upTo(list: ArrayLike<number>, value: number): number;
export function upTo<Item>(
  list: ArrayLike<Item>,
  value: number,
  key: (item: Item) => number,
): number;
export function upTo<Item>(
  list: ArrayLike<Item>,
  value: number,
  key = (item: Item) => item as number,
): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const bySeq = (item: readonly [number, ...unknown[]]) => item[0];

export interface ScriptPage {
  document: string;
  number: number;
  /** null for a page that is not in the collection; so is its size */
  sha: string | null;
  size: Pt.Size | null;
}

/** A box at one time; without a rectangle it is deleted. */
export interface ReplayedBox {
  id: string;
  rect: Pt.Rect | null;
  label: string | null;
  verdict: string;
}

/** A box that is on its page. */
export type ShownBox = ReplayedBox & { rect: Pt.Rect };

const isShown = (box: ReplayedBox): box is ShownBox => box.rect !== null;

/** The pages of those lifetimes in which an event is. */
const listedAt = (lifetimes: Pt.AttemptScript["citations"], seq: number) =>
  lifetimes
    .filter(([, begin, end]) => begin <= seq && (end === null || end > seq))
    .map(([page]) => page);

type BoxStates = [seq: number, box: ReplayedBox][];

/** A patch at one time; `at` is in UTF-16 units, null where it has no place in the text. */
export type ReplayedPatch = Pick<
  Pt.TranscriptPatch,
  "id" | "removed" | "inserted" | "reason" | "state" | "at"
> & {
  /** the event that gave it its state */
  since: number;
};

/** An edit of the page's text; positions are in UTF-16 units of the text before. */
interface ReplayedEdit {
  seq: number;
  start: number;
  end: number;
  growth: number;
}

export interface SetField {
  /** of the field and what it is set of */
  key: string;
  field: string;
  page: number | null;
  box: string | null;
  value: string;
}

function editsOf(edits: Pt.AttemptScript["texts"][string]): ReplayedEdit[] {
  let length = 0;
  return edits.map(([seq, start, tail, insert]) => {
    const end = length - tail;
    const growth = insert.length - (end - start);
    length += growth;
    return { seq, start, end, growth };
  });
}

const editSeq = ({ seq }: ReplayedEdit) => seq;

export class Track {
  data: Pt.AttemptScript;
  times: Float64Array<ArrayBuffer>;
  pages: ScriptPage[];
  /** states of each box, by page */
  private readonly boxStates = new Map<number, BoxStates[]>();
  /** texts as last asked for, and how many edits are in them */
  private readonly texts = new Map<string, { count: number; text: string; before: string }>();
  private readonly pageEdits: ReplayedEdit[];

  /** @param data what `pagetrail.app.replay.attempt_data.replay_json` made */
  constructor(data: Pt.AttemptScript) {
    this.data = data;
    this.times = Float64Array.from(data.moments, ([t]) => t);
    this.pages = data.pages.map(([index, number, width, height]) => {
      const [document, sha] = data.documents[index];
      return {
        document,
        number,
        sha,
        size: width === null || height === null ? null : [width, height],
      };
    });
    this.pageEdits = editsOf(data.texts.transcript ?? []);
    for (const [id, page, states] of data.boxes) {
      const boxStates = this.boxStates.get(page) ?? [];
      this.boxStates.set(page, boxStates);
      boxStates.push(
        states.map(([seq, rect, label, verdict]) => [seq, { id, rect, label, verdict }]),
      );
    }
  }

  /** Number of events. */
  get length() {
    return this.times.length;
  }

  /** The last event at or before a time, 0 for none. */
  seqAt(t: number) {
    return upTo(this.times, t);
  }

  /** The search whose results are shown, or null. */
  search(seq: number) {
    const { searches } = this.data;
    return searches[upTo(searches, seq, (search) => search.seq) - 1] ?? null;
  }

  /** The page in the viewer, or null, and how that is known. */
  page(seq: number): { page: number; label: string; note: string } | null {
    const { views, bases } = this.data;
    const [, page, label, basis] = views[upTo(views, seq, bySeq) - 1] ?? [0, null, "", 0];
    return page === null ? null : { page, label, note: bases[basis] };
  }

  /** The next page that will be looked at after an event, or null. */
  nextPage(seq: number) {
    const { views } = this.data;
    const at = upTo(views, seq, bySeq);
    const shown = views[at - 1]?.[1];
    for (let i = at; i < views.length; i += 1) {
      const [, page] = views[i];
      if (page !== null && page !== shown) return page;
    }
    return null;
  }

  /** The pages that are cited, in order. */
  citations(seq: number) {
    return listedAt(this.data.citations, seq);
  }

  /** The pages that are bookmarked, in order. */
  bookmarks(seq: number) {
    return listedAt(this.data.bookmarks, seq);
  }

  /** The boxes on a page, each the same object as long as it does not change. */
  boxes(page: number, seq: number) {
    const shown: ShownBox[] = [];
    for (const states of this.boxStates.get(page) ?? []) {
      const box = states[upTo(states, seq, bySeq) - 1]?.[1];
      if (box && isShown(box)) shown.push(box);
    }
    return shown;
  }

  /** How many boxes there are on all pages. */
  countBoxes(seq: number) {
    let count = 0;
    for (const page of this.boxStates.keys()) count += this.boxes(page, seq).length;
    return count;
  }

  /** The answer, question, note or scratchpad as it was. */
  text(name: string, seq: number) {
    const edits = this.data.texts[name] ?? [];
    const count = upTo(edits, seq, bySeq);
    let kept = this.texts.get(name);
    if (!kept || kept.count > count) kept = { count: 0, text: "", before: "" };
    let { text, before } = kept;
    for (let i = kept.count; i < count; i += 1) {
      const [, start, end, insert] = edits[i];
      before = text;
      text = text.slice(0, start) + insert + (end ? text.slice(-end) : "");
    }
    this.texts.set(name, { count, text, before });
    return text;
  }

  /** The same before its last change. */
  textBefore(name: string, seq: number) {
    this.text(name, seq);
    return this.texts.get(name)?.before ?? "";
  }

  /** The patches of the round, in the order they were given, with their states and places. */
  patches(seq: number): ReplayedPatch[] {
    return this.data.patches.flatMap(([id, removed, inserted, reason, places]) => {
      const i = upTo(places, seq, bySeq) - 1;
      const [placed, state, at] = places[i] ?? [0, null, null];
      if (!state) return [];
      const before = places.slice(0, i).findLast((place) => place[1] !== state)?.[0] ?? 0;
      const [since] = places.find((place) => place[0] > before) ?? [placed];
      return [
        { id, removed, inserted, reason, state, since, at: this.movedPlace(at, placed, seq) },
      ];
    });
  }

  /** Where a place of the page's text is after the edits from one event to another. */
  private movedPlace(at: number | null, from: number, seq: number) {
    if (at === null) return null;
    let place = at;
    for (let i = upTo(this.pageEdits, from, editSeq); this.pageEdits[i]?.seq <= seq; i += 1) {
      const { end, growth } = this.pageEdits[i];
      if (place >= end) place += growth;
    }
    return place;
  }

  /** The page's text with open and accepted patches, and what was typed last, in their places. */
  pageMarks(seq: number): TextMark[] {
    const isAsGiven = this.textBefore("transcript", seq) === "";
    const last = isAsGiven ? undefined : this.pageEdits[upTo(this.pageEdits, seq, editSeq) - 1];
    const marks = this.patches(seq).flatMap(({ id, at, state, since, ...patch }): TextMark[] => {
      const isOpen = state === "open";
      if (at === null || !(isOpen || (state === "accepted" && patch.inserted))) return [];
      const { removed, inserted } = patch;
      const isCurrent = since === last?.seq;
      return isOpen
        ? [{ id, from: at, to: at + removed.length, inserted, isCurrent: false }]
        : [{ id, from: at, to: at + inserted.length, inserted: "", isCurrent, tag: "ins" }];
    });
    if (last && !marks.some(({ isCurrent }) => isCurrent)) {
      const { start, end, growth } = last;
      const typed: TextMark = {
        ...{ id: "", from: start, to: end + growth, inserted: "" },
        ...{ isCurrent: true, tag: "mark" },
      };
      const isApart = ({ from, to }: TextMark) => to <= typed.from || typed.to <= from;
      if (typed.to > typed.from && marks.every(isApart)) marks.push(typed);
    }
    return marks.sort((left, right) => left.from - right.from || left.to - right.to);
  }

  /** What the fields hold, in the order they were set. */
  fields(seq: number): SetField[] {
    const held = new Map<string, SetField>();
    for (const [at, field, page, box, value] of this.data.fields) {
      if (at > seq) break;
      const key = JSON.stringify([field, page, box]);
      held.delete(key);
      if (value !== null) held.set(key, { key, field, page, box, value });
    }
    return [...held.values()];
  }
}
