/** The editor of a text while one task's pane closes and the next one opens, in either order. */

import assert from "node:assert/strict";
import test from "node:test";
import {
  type Loaded,
  TranscriptWork,
} from "../../app/components/frontend/workspace/transcript/transcript_work";

class Editor {
  isDestroyed = false;
  constructor(
    _root: unknown,
    readonly text: string,
  ) {}
  setReadOnly() {}
  show() {}
  destroy() {
    this.isDestroyed = true;
  }
}

class Sync {
  setView() {}
  setText() {}
  destroy() {}
}

/** The editor's module, which is cached once it is there, as by the browser. */
const EDITOR = { TextEditor: Editor, ScrollSync: Sync } as unknown as Loaded;
const ROOT = {} as ShadowRoot;

function workOn(first: string, loadEditor: () => Promise<Loaded>) {
  const transcriptOf = (text: string) => ({ transcript: { text, patches: [] } });
  const data = { state: transcriptOf(first), protocol: { transcript: {} }, layout: {} };
  const attempt = {
    id: first,
    mayEdit: true,
    outbox: { queue: [] },
    store: { data, tracked: data, set() {} },
    /** The screen has another task. */
    show(id: string) {
      this.id = id;
      data.state = transcriptOf(id);
    },
  };
  const host = { attempt, texts: { include() {}, remove() {} }, viewer: {}, loadEditor };
  const work = new TranscriptWork(
    host as unknown as ConstructorParameters<typeof TranscriptWork>[0],
  );
  return { work, attempt };
}

const shownBy = (work: TranscriptWork) => {
  const editor = work.editor.value as unknown as Editor | null;
  return editor && !editor.isDestroyed ? editor.text : null;
};

const settled = () => new Promise((resolve) => setTimeout(resolve));

for (const order of ["closes before the next opens", "closes after the next has opened"]) {
  for (const when of ["loaded", "loading"]) {
    test(`the next task has its editor if a pane ${order}, while it is ${when}`, async () => {
      const { work, attempt } = workOn("first", async () => EDITOR);
      const close = work.open(ROOT);
      if (when === "loaded") await settled();
      const old = work.editor.value as unknown as Editor | null;
      assert.equal(old?.text ?? null, when === "loaded" ? "first" : null);
      attempt.show("second");
      let closeNext: () => void;
      if (order.includes("before")) {
        close();
        closeNext = work.open(ROOT);
      } else {
        closeNext = work.open(ROOT);
        close();
      }
      await settled();
      assert.equal(shownBy(work), "second");
      assert.equal(old?.isDestroyed ?? true, true);
      close();
      assert.equal(shownBy(work), "second", "closing again does nothing");
      closeNext();
      assert.equal(shownBy(work), null);
    });
  }
}

test("an editor that could not be loaded is loaded again into the same pane", async () => {
  let isOnline = false;
  const { work } = workOn("first", async () => {
    if (isOnline) return EDITOR;
    throw new Error("offline");
  });
  const close = work.open(ROOT);
  await settled();
  assert.match(work.problem.value, /could not be loaded/);
  isOnline = true;
  work.retry();
  await settled();
  assert.deepEqual([shownBy(work), work.problem.value], ["first", ""]);
  close();
  assert.equal(shownBy(work), null);
});
