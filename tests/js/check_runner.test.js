import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../app/components/frontend/shared/api";
import { CheckRun, draftKey } from "../../app/components/frontend/workspace/panels/check_runner";

test("checks that are stopped run again after the next change, not before", async () => {
  const state = { question_text: "Who?", answer_text: "", citations: [], checks: null };
  const data = { attempt: "a", pending: 0, protocol: { question: { checks: true } }, state };
  const outbox = { attempt: "a", seq: 0, flush: async () => true };
  /** @type {AbortSignal[]} */
  const asked = [];
  const api = {
    checks: (
      /** @type {string} */ _attempt,
      /** @type {any} */ _body,
      /** @type {any} */ { signal },
    ) =>
      new Promise((_, reject) => {
        asked.push(signal);
        signal.addEventListener("abort", () => reject(new ApiError("network", "")));
      }),
  };
  const attempt = { mayEdit: true, store: { data }, outbox, api, nextId: () => "1" };
  const host = { flush() {}, dirty: () => false };
  const checks = new CheckRun(/** @type {any} */ (attempt), host);
  checks.update();
  const running = checks.run();
  while (!asked.length) await new Promise((done) => setTimeout(done));
  checks.stop();
  assert.equal(await running, false);
  assert.ok(asked[0]?.aborted);
  assert.match(String(checks.error), /Stopped/);
  assert.equal(checks.wanted, draftKey(state));
  assert.equal(checks.slow, false);
  state.question_text = "Who else?";
  checks.update();
  assert.equal(checks.wanted, draftKey(state), "the next change is waited for");
  checks.cancel();
});
