/** A page and its text scroll together, block by block. */

import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import test from "node:test";
import type { TextBlock } from "../../app/components/frontend/workspace/transcript/block_alignment";
import { ScrollSync } from "../../app/components/frontend/workspace/transcript/scroll_sync";

setMaxListeners(0); // each pane is listened to by one signal

const HEIGHT = 100;
/** Where in a pane of that height the same block is. */
const REFERENCE_LINE = 30;
const PAGE_HEIGHT = 1000;

/** A pane of the window whose upper edge is at 0. */
class Pane extends EventTarget {
  scrollTop = 0;
  readonly clientHeight = HEIGHT;

  constructor(readonly scrollHeight: number) {
    super();
  }

  getBoundingClientRect() {
    return { top: 0 };
  }

  /** Somebody scrolls it. */
  scrollTo(top: number) {
    this.dispatchEvent(new Event("wheel"));
    this.scrollTop = top;
    this.dispatchEvent(new Event("scroll"));
    drawFrames();
  }
}

class Shape {
  children: Shape[] = [];
  attributes: Record<string, string> = {};
  setAttribute(name: string, value: unknown) {
    this.attributes[name] = String(value);
  }
  append(...shapes: Shape[]) {
    this.children.push(...shapes);
  }
  replaceChildren(...shapes: Shape[]) {
    this.children = shapes;
  }
  remove() {}
}

const frames: (() => void)[] = [];
function drawFrames() {
  for (const draw of frames.splice(0)) draw();
}
Object.assign(globalThis, {
  window: globalThis,
  document: { createElementNS: () => new Shape() },
  requestAnimationFrame: (draw: () => void) => frames.push(draw),
  cancelAnimationFrame: () => {},
});

const LINES = ["alpha beta", "gamma delta", "epsilon zeta"];
const TEXT = LINES.join("\n\n");
const TOPS = [0, 300, 700];
/** The lines are at these heights of the page, in points. */
const PAGE_TOPS = [100, 400, 900];

const WORDS = LINES.flatMap((line, row) =>
  line
    .split(" ")
    .map((text, i): Pt.Word => [i * 50, PAGE_TOPS[row], i * 50 + 40, PAGE_TOPS[row] + 20, text]),
);

interface Panes {
  page: Pane;
  text: Pane;
  revealed: Pt.Rect[];
  sync: ScrollSync;
  outline: () => Shape | undefined;
}

/** Both panes with the text of three lines aligned. */
async function panes({ isTogether = true } = {}): Promise<Panes> {
  const page = new Pane(PAGE_HEIGHT);
  const text = new Pane(1200);
  const revealed: Pt.Rect[] = [];
  const overlay = new Shape();
  const stage = {
    ...{ pane: page, overlay, size: [600, PAGE_HEIGHT] },
    reveal: (rect: Pt.Rect) => revealed.push(rect),
    centre: () => ({ x: 0, y: 0 }),
    toClientPoint: (x: number, y: number) => ({ x, y: y - page.scrollTop }),
    toPagePoint: (x: number, y: number) => ({ x, y: y + page.scrollTop }),
  };
  let aligned = () => {};
  const isAligned = new Promise<void>((resolve) => {
    aligned = resolve;
  });
  const sync = new ScrollSync({
    stage: stage as never,
    words: async () => {
      setTimeout(aligned);
      return WORDS;
    },
    isTogether: () => isTogether,
  });
  const span = ({ from }: TextBlock) => {
    const top = TOPS[LINES.findIndex((line) => TEXT.indexOf(line) === from)] - text.scrollTop;
    return { top, bottom: top + 40 };
  };
  sync.setView({ scroller: text as never, span });
  sync.setText(TEXT, true);
  await isAligned;
  return { page, text, revealed, sync, outline: () => overlay.children[0]?.children[0] };
}

test("the page follows the text to the same part of the same block", async () => {
  const { page, text, sync } = await panes();
  text.scrollTo(300 - REFERENCE_LINE);
  assert.equal(page.scrollTop, 400 - REFERENCE_LINE);
  text.scrollTo(300 + 20 - REFERENCE_LINE); // half of the block
  assert.equal(page.scrollTop, 400 + 10 - REFERENCE_LINE);
  text.scrollTo(600); // below it, above the next
  assert.equal(page.scrollTop, 400 + 20 - REFERENCE_LINE);
  sync.destroy();
});

test("the text follows the page", async () => {
  const { page, text, sync } = await panes();
  page.scrollTo(400 + 10 - REFERENCE_LINE);
  assert.equal(text.scrollTop, 300 + 20 - REFERENCE_LINE);
  page.scrollTo(800);
  assert.equal(text.scrollTop, 700 - REFERENCE_LINE);
  sync.destroy();
});

test("at the beginning and end of one pane the other is there, too", async () => {
  const { page, text, sync } = await panes();
  page.scrollTo(PAGE_HEIGHT - HEIGHT);
  assert.equal(text.scrollTop, text.scrollHeight);
  page.scrollTo(0);
  assert.equal(text.scrollTop, 0);
  sync.destroy();
});

test("a pane that follows does not lead back", async () => {
  const { page, text, sync } = await panes();
  text.scrollTo(600);
  const { scrollTop } = text;
  page.dispatchEvent(new Event("scroll")); // since it was moved
  drawFrames();
  assert.equal(text.scrollTop, scrollTop);
  sync.destroy();
});

test("apart, each pane keeps its position", async () => {
  const { page, text, revealed, sync, outline } = await panes({ isTogether: false });
  text.scrollTo(300);
  assert.equal(page.scrollTop, 0);
  sync.showPosition(TEXT.indexOf("delta"));
  assert.deepEqual(revealed, []);
  assert.ok(outline(), "it is still outlined");
  sync.destroy();
});

test("the block of the cursor is outlined on the page and brought into view", async () => {
  const { revealed, sync, outline } = await panes();
  sync.showPosition(TEXT.indexOf("delta"));
  assert.deepEqual(revealed, [[0, 400, 90, 420]]);
  assert.deepEqual(outline()?.attributes.y, "397");
  assert.equal(sync.endNear(410), TEXT.indexOf("\n\nepsilon"));
  sync.followCursor(TEXT.indexOf("gamma"));
  assert.equal(revealed.length, 1, "typing in the block does not scroll the page again");
  sync.followCursor(TEXT.indexOf("epsilon"));
  assert.equal(revealed.length, 2);
  sync.destroy();
});

test("scrolling after the end changes nothing", async () => {
  const { page, text, sync } = await panes();
  sync.destroy();
  text.scrollTo(300);
  assert.equal(page.scrollTop, 0);
});
