/** Running a query: after everything done before it, and again until it is answered. */

import { ApiError } from "../../shared/api";
import { N_, t } from "../../shared/messages";
import { afterPaint } from "../../shared/page/after_paint";
import type { Attempt } from "../state/attempt";
import { clean } from "../state/attempt_state";

const WAITS = N_("No connection. The search runs as soon as it is back.");

/** Results belong to the query above them: one that was refused has none. */
const NO_RESULTS = { results: null, searching: null, searchNote: null };

/** Streamlit's reply, where requests go through it, has the results only. */
type SearchReply = Pt.ShownSearch & Partial<Pt.SearchResponse>;

export class Query {
  private token = 0;

  constructor(private readonly attempt: Attempt) {}

  private get store() {
    return this.attempt.store;
  }

  /** A search under way is not shown any more. */
  abandon() {
    this.token += 1;
  }

  /**
   * Run a query; what was done before it goes to the server first.
   * @param origin the history entry that was clicked; what was typed, if it was something else
   */
  async run(query: string, origin: { rerunOf?: string; typed?: string | null } = {}) {
    const { attempt, store } = this;
    if (attempt.readOnly) return;
    if (!query.trim()) {
      this.abandon();
      store.set({ ...NO_RESULTS, searchError: t("Type the words to look for.") });
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
      typed: origin.typed ? clean(origin.typed) : null,
      rerun_of: origin.rerunOf ?? null,
      client_ts: new Date().toISOString(),
    };
    const away = !["online", "full"].includes(store.data.connection.kind);
    store.set({ searching: { query }, searchError: null, searchNote: away ? t(WAITS) : null });
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
          store.set({ ...NO_RESULTS, searchError: error.message });
          return;
        }
        store.set({
          searchNote: error.status ? `${error.message} ${t("Trying again.")}` : t(WAITS),
        });
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  private async send(id: string, body: Pt.SearchRequest): Promise<SearchReply> {
    const { api, fallback, session, viaStreamlit } = this.attempt;
    if (!viaStreamlit) return api.search(id, body);
    const { search, error } = await fallback.send(id, session, { search: body });
    if (!search) throw new ApiError("final", error?.message ?? "");
    return search;
  }

  private found(outbox: Pt.Outbox, reply: SearchReply, token: number) {
    const { attempt, store } = this;
    const seq = reply.last_seq ?? 0;
    const ahead = seq - outbox.seq;
    outbox.seq = Math.max(outbox.seq, seq);
    if (outbox !== attempt.outbox) return;
    const { documents, state } = store.data;
    const entry = {
      search_id: reply.search_id,
      query: reply.query,
      parsed: reply.parsed,
      total_hits: reply.total_hits,
      refusal: reply.refusal?.message ?? null,
      seq,
      looks_back_at: reply.looks_back_at ?? null,
      results: reply.results.map(({ document, page }): [string, number] => [document, page]),
    };
    const known = state.searches.some((search) => search.search_id === entry.search_id);
    const searches = known ? state.searches : [...state.searches, entry];
    const shown = {
      results: reply,
      searching: null,
      searchNote: null,
      searchError: reply.refusal?.message ?? null,
    };
    // Before the cards, whose small images are requested after the paint, too.
    afterPaint(() => {
      if (token === this.token) attempt.hooks.onResults(reply.results);
    });
    store.set({
      documents: { ...documents, ...reply.documents },
      state: { ...state, status: state.status === "new" ? "open" : state.status, searches },
      savedAt: reply.saved_at ?? store.data.savedAt,
      ...(token === this.token ? shown : {}),
    });
    if (ahead > 1) attempt.pull();
    attempt.hooks.onWritten(seq);
  }
}
