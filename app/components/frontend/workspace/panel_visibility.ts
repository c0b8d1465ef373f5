/**
 * Which parts of the screen are visible: panels, drawers, pause, and how much of what is above the
 * page while one is open.
 */

import { isReadOnly } from "./state/attempt_state";
import { saveLayout } from "./sync/browser_storage";

// As in layout.css: the batch panel is a drawer; the answer panel is one as well; a page and what is
// above it do not both fit.
const QUERIES = {
  isSmall: "(max-width: 72rem)",
  isNarrow: "(max-width: 52rem)",
  isLow: "(max-height: 59.99rem)",
};

export type WindowSize = Record<keyof typeof QUERIES, boolean>;

// Turning leaves question and results as they are; opening a page makes room for it.
export const TURNS = new Set(["next", "previous", "first", "last", "jump", "thumbnail"]);

type Values<Key extends keyof Pt.WorkspaceData> = Pick<Pt.WorkspaceData, Key>;

export function windowSize(): WindowSize {
  const entries = Object.entries(QUERIES).map(([name, query]) => [name, matchMedia(query).matches]);
  return Object.fromEntries(entries) as WindowSize;
}

/** Call `onChange` when a window of another size changes what is a drawer or makes room. */
export function watchWindowSize(onChange: (size: WindowSize) => void): () => void {
  const abort = new AbortController();
  for (const query of Object.values(QUERIES)) {
    const handler = () => onChange(windowSize());
    matchMedia(query).addEventListener("change", handler, { signal: abort.signal });
  }
  onChange(windowSize());
  return () => abort.abort();
}

/** Whether the batch panel is visible. */
export function isLeftOpen(values: Values<"layout" | "windowSize" | "leftDrawer" | "protocol">) {
  return values.windowSize.isSmall ? values.leftDrawer : !isLeftFolded(values);
}

/** Whether the batch panel is folded away; beside a text that needs its room, until it is opened. */
export function isLeftFolded({ layout, protocol }: Values<"layout" | "protocol">) {
  return hasWideText(protocol) ? layout.leftOfText !== true : layout.left === false;
}

/** Whether the answer panel is visible. */
export function isRightOpen(values: Values<"layout" | "windowSize" | "rightDrawer">) {
  return values.windowSize.isNarrow ? values.rightDrawer : values.layout.right !== false;
}

/** Whether question and results make room for the open page. */
export function isCompact(values: Values<"page" | "contextOpen" | "layout" | "windowSize">) {
  if (!values.page) return false;
  return values.windowSize.isLow ? !values.contextOpen : values.layout.resultsCollapsed === true;
}

/** Whether everything is hidden because the clock is paused. */
export function isPaused({ state, protocol }: Values<"state" | "protocol">) {
  return state.paused && protocol.clock.pause && !isReadOnly(state);
}

/**
 * Whether the viewer has thumbnails beside the page. Where a task gives all the pages, the filmstrip
 * shows them already, and there are thumbnails only when asked for.
 */
export function isRailOpen(values: Values<"layout" | "given_pages" | "protocol">) {
  const { layout } = values;
  return isFilmstripComplete(values) ? layout.railToo === true : layout.rail !== false;
}

function isFilmstripComplete({ given_pages: given, protocol }: Values<"given_pages" | "protocol">) {
  return Boolean(given?.length) && !protocol.browse;
}

/** Whether a protocol's text or tables are as wide as the page. */
export function hasWideText({ transcript, tables }: Pt.Protocol) {
  return transcript.enabled || tables.enabled;
}

/** Whether a protocol's panels need more room. */
export function needsWidePanel({ boxes, fields, question }: Pt.Protocol) {
  const hasTable = fields.some(({ kind }) => kind === "records");
  return boxes.seed || hasTable || question.kind === "editable";
}

/** Changes what is visible, and remembers it in this browser. */
export class Layout {
  constructor(private readonly store: Pt.Store) {}

  private get data() {
    return this.store.data;
  }

  /** Change what is shown, and remember it. */
  set(change: Partial<Pt.StoredLayout>) {
    const layout = { ...this.data.layout, ...change };
    this.store.set({ layout });
    saveLayout(layout);
  }

  /** Show question and results in full, or make room for the page. */
  showContext(open: boolean = true) {
    this.read(false);
    if (open === !isCompact(this.data)) return;
    if (this.data.windowSize.isLow) this.store.set({ contextOpen: open });
    else this.set({ resultsCollapsed: !open });
  }

  toggleContext() {
    this.showContext(isCompact(this.data));
  }

  /** Show the open page and its bars alone, or the whole screen. */
  read(reading: boolean) {
    this.store.set({ reading: reading && this.data.page !== null });
  }

  /** On a small screen the batch panel is a drawer that is closed until asked for. */
  toggleLeft() {
    const open = !isLeftOpen(this.data);
    if (this.data.windowSize.isSmall) this.store.set({ leftDrawer: open });
    else if (hasWideText(this.data.protocol)) this.set({ leftOfText: open });
    else this.set({ left: open });
  }

  /** In a narrow window the answer panel is a drawer, too. */
  toggleRight() {
    const open = !isRightOpen(this.data);
    if (this.data.windowSize.isNarrow) this.store.set({ rightDrawer: open });
    else this.set({ right: open });
  }

  /** Open the right panel if it is folded away. */
  showRight() {
    this.read(false);
    if (!isRightOpen(this.data)) this.toggleRight();
  }

  /**
   * Close the drawers.
   * @returns whether one was open
   */
  closeDrawers(): boolean {
    const { windowSize, leftDrawer, rightDrawer } = this.data;
    const open = (windowSize.isSmall && leftDrawer) || (windowSize.isNarrow && rightDrawer);
    this.store.set({ leftDrawer: false, rightDrawer: false });
    return open;
  }

  /** Remember by name whether a field's help is open, or a record folded. */
  remember(what: "help" | "folded", name: string, value: boolean) {
    this.set({ [what]: { ...this.data.layout[what], [name]: value } });
  }

  /** Show or hide the thumbnails, here and in tasks of the same sort. */
  setRail(open: boolean) {
    this.set(isFilmstripComplete(this.data) ? { railToo: open } : { rail: open });
  }
}
