/** An event says which version of its document was on screen, unless it was the first. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { versionOnScreen } from "../../app/components/frontend/workspace/state/seen_version";
import { bodyOf } from "../../app/components/frontend/workspace/sync/event_batches";

const data = {
  page: { document: "open.pdf", page: 3, version: 1 },
  documents: {
    "open.pdf": { version: 2 },
    "other.pdf": { version: 2 },
    "first.pdf": { version: 1 },
  },
  state: { boxes: { boxes: [{ id: "b", document: "other.pdf", page: 1 }] } },
} as never;

test("the painted page has the version that it was opened with", () => {
  assert.equal(versionOnScreen(data, { document: "open.pdf", page: 3 }), 1);
  assert.equal(versionOnScreen(data, { document: "other.pdf", page: 1 }), 2);
  assert.equal(versionOnScreen(data, { document: "first.pdf", page: 1 }), 1);
  assert.equal(versionOnScreen(data, { document: "unknown.pdf", page: 1 }), 1);
  assert.equal(versionOnScreen(data, { box: "b" }), 2);
  assert.equal(versionOnScreen(data, { box: "gone" }), 1);
  assert.equal(versionOnScreen(data, { text: "answer" }), 1);
});

test("the version is sent with its event, after the first", () => {
  const event = {
    id: "e",
    session: "s",
    type: "citation_added",
    payload: {},
    seq: 0,
    mono: 0,
    at: 0,
  };
  const { events } = bodyOf([event, { ...event, document_version: 2 }] as never);
  assert.deepEqual(
    events.map((sent: object) => "document_version" in sent && sent.document_version),
    [false, 2],
  );
});
