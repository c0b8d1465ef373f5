/** Running a query: after everything done before it, and again until it is answered. */

import { ApiError } from "../../shared/api";
import type { Attempt } from "../state/attempt";
import { clean } from "../state/attempt_state";

const WAITS = "No connection. The search runs as soon as it is back.";

export class Query {
  attempt: Attempt;
  store: Pt.Store;
  token: number;

  constructor(attempt: Attempt) {
    this.attempt = attempt;
    this.store = attempt.store;
    this.token = 0;
  }

  /** A search under way is not shown any more. */
  abandon() {
    this.token += 1;
  }

  /**
   * Run a query; what was done before it goes to the server first.
   * @param rerunOf the history entry that was clicked
   */
  async run(query: string, rerunOf: string | null = null) {
    const { attempt, store } = this;
    if (attempt.readOnly) return;
    if (!query.trim()) {
      store.set({ searchError: "Type the words to look for." });
      return;
    }
    this.token += 1;
    const token = this.token;
    const { outbox } = attempt;
    const started = performance.now();
    const body = {
      id: attempt.nextId(),
      session: attempt.session,
      query: clean(query),
      rerun_of: rerunOf,
      client_ts: new Date().toISOString(),
    };
    const away = !["online", "full"].includes(store.data.connection.kind);
    store.set({ searching: { query }, searchError: null, searchNote: away ? WAITS : null });
    attempt.clock.activity();
    for (let wait = 500; ; wait = Math.min(8000, wait * 2)) {
      const flushed = await outbox.flush(wait + 4000);
      if (token !== this.token) return;
      try {
        if (outbox.stopped) throw new ApiError("final", store.data.connection.message ?? "");
        if (!flushed) throw new ApiError("network", "");
        const age = Math.round(performance.now() - started);
        const reply = await this.send(outbox.attempt, { ...body, age_ms: age });
        this.found(outbox, reply, token);
        return;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (token !== this.token) return;
        if (!error.transient && error.kind !== "signed_out") {
          store.set({ searching: null, searchError: error.message, searchNote: null });
          return;
        }
        store.set({ searchNote: error.status ? `${error.message} Trying again.` : WAITS });
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  async send(id: string, body: Pt.SearchRequest): Promise<any> {
    const { api, fallback, session, viaStreamlit } = this.attempt;
    if (viaStreamlit) return (await fallback.send(id, session, { search: body })).search;
    return api.search(id, body);
  }

  found(outbox: Pt.Outbox, reply: any, token: number) {
    const { attempt, store } = this;
    const ahead = reply.last_seq - outbox.seq;
    outbox.seq = Math.max(outbox.seq, reply.last_seq ?? 0);
    if (outbox !== attempt.outbox) return;
    const { documents, state } = store.data;
    const entry = {
      search_id: reply.search_id,
      query: reply.query,
      parsed: reply.parsed,
      total_hits: reply.total_hits,
      refusal: reply.refusal?.message ?? null,
      seq: reply.last_seq,
      looks_back_at: reply.looks_back_at ?? null,
      results: reply.results.map((result: Pt.SearchResult) => [result.document, result.page]),
    };
    const known = state.searches.some((search) => search.search_id === entry.search_id);
    const searches = known ? state.searches : [...state.searches, entry];
    const shown = {
      results: reply,
      searching: null,
      searchNote: null,
      searchError: reply.refusal?.message ?? null,
    };
    store.set({
      documents: { ...documents, ...reply.documents },
      state: { ...state, status: state.status === "new" ? "open" : state.status, searches },
      savedAt: reply.saved_at ?? store.data.savedAt,
      ...(token === this.token ? shown : {}),
    });
    if (ahead > 1) attempt.pull();
    attempt.hooks.onWritten(reply.last_seq);
  }
}
