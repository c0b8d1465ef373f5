import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Answer,
  answerOf,
  ConnectionNotice,
  follow,
  PATIENCE_MS,
} from "../../app/components/frontend/page/connection_notice";

/** A notice with a clock that the test moves, and what the person sees. */
function page(answer: Answer, { speaksForItself = false } = {}) {
  const seen = { sentence: null as string | null, signIns: 0, asked: 0 };
  const timers = new Map<number, () => void>();
  let next = 0;
  const notice = new ConnectionNotice({
    ask: () => {
      seen.asked += 1;
      return Promise.resolve(answer);
    },
    show: (sentence) => {
      seen.sentence = sentence;
    },
    signIn: () => {
      seen.signIns += 1;
    },
    later(call, ms) {
      assert.equal(ms, PATIENCE_MS);
      const key = next++;
      timers.set(key, call);
      return () => timers.delete(key);
    },
    speaksForItself: () => speaksForItself,
    sentences: { blocked: "blocked", unreachable: "unreachable" },
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const pass = async () => {
    for (const [key, call] of [...timers]) {
      timers.delete(key);
      call();
    }
    await settle();
  };
  return { notice, seen, timers, pass, settle };
}

test("a page without a web socket says so after four seconds, until there is one", async () => {
  const { notice, seen, timers, pass } = page({ kind: "reached" });
  assert.equal(seen.sentence, null);
  await pass();
  assert.equal(seen.sentence, "blocked");
  notice.opened();
  assert.equal(seen.sentence, null);
  assert.equal(timers.size, 0, "nothing is asked while a web socket is open");
  notice.closed(true);
  assert.equal(seen.sentence, null, "Streamlit reconnects by itself");
  await pass();
  assert.equal(seen.sentence, "blocked");
});

test("a refusal is shown in the server's own words", async () => {
  const { seen, pass } = page({ kind: "refused", message: "Set PAGETRAIL_URL" });
  await pass();
  assert.equal(seen.sentence, "Set PAGETRAIL_URL");
});

test("a page from before signing out leads to the sign-in page at the first refusal", async () => {
  const { notice, seen, settle } = page({ kind: "signed-out" });
  notice.closed(false);
  await settle();
  assert.equal(seen.signIns, 1);
});

test("a task has its own banner, and is left after signing out", async () => {
  for (const [kind, signIns] of [
    ["signed-out", 1],
    ["unreachable", 0],
  ] as const) {
    const { notice, seen, settle } = page({ kind }, { speaksForItself: true });
    notice.closed(false);
    await settle();
    assert.deepEqual([seen.signIns, seen.sentence], [signIns, null]);
  }
  const { seen, pass } = page({ kind: "unreachable" });
  await pass();
  assert.equal(seen.sentence, "unreachable");
});

test("answers of the server, of a proxy and of nobody", async () => {
  const json = (status: number, message: string) =>
    new Response(JSON.stringify({ error: { code: "x", message } }), { status });
  assert.deepEqual(await answerOf(Promise.resolve(new Response(null, { status: 204 }))), {
    kind: "reached",
  });
  assert.deepEqual(await answerOf(Promise.resolve(json(401, "out"))), { kind: "signed-out" });
  assert.deepEqual(await answerOf(Promise.resolve(json(403, "why"))), {
    kind: "refused",
    message: "why",
  });
  const html = new Response("<h1>Bad gateway</h1>", { status: 502 });
  assert.deepEqual(await answerOf(Promise.resolve(html)), { kind: "unreachable" });
  assert.deepEqual(await answerOf(Promise.reject(new TypeError())), { kind: "unreachable" });
});

test("Streamlit's web sockets are followed, others are not", () => {
  class FakeSocket extends EventTarget {}
  const scope = { WebSocket: FakeSocket, location: { href: "https://lab.example/task" } };
  const states: string[] = [];
  follow(
    { opened: () => states.push("opened"), closed: (wasOpen) => states.push(`closed ${wasOpen}`) },
    scope as unknown as Window & typeof globalThis,
  );
  const Followed = scope.WebSocket as unknown as new (url: string) => EventTarget;
  const other = new Followed("wss://lab.example/other");
  other.dispatchEvent(new Event("open"));
  const refused = new Followed("wss://lab.example/_stcore/stream");
  refused.dispatchEvent(new Event("close"));
  const good = new Followed("wss://lab.example/_stcore/stream");
  good.dispatchEvent(new Event("open"));
  good.dispatchEvent(new Event("close"));
  assert.deepEqual(states, ["closed false", "opened", "closed true"]);
});
