/** Requests to the server's routes, and what their failures mean. */

import { t } from "./messages";

/** A failed request. `kind`: network | retry | signed_out | final | invalid | not_json. */
export class ApiError extends Error {
  retryAfter: number;
  kind: string;
  status: number;
  code: string;

  constructor(kind: string, message: string, { status = 0, code = "", retryAfter = 0 } = {}) {
    super(message);
    this.retryAfter = retryAfter; // seconds that the server names; 0 where it names none
    this.kind = kind;
    this.status = status;
    this.code = code;
  }

  /** Whether sending the same again may help. */
  get transient() {
    return this.kind === "network" || this.kind === "retry";
  }
}

const TIMEOUT_MS = 20000;
const PRACTICE = "/practice";
/** A task that is somebody else's or nobody's by now, or not to be opened: asking again is no use. */
const FINAL = new Set(["taken", "withdrawn", "archived", "not_in_turn", "no_going_back"]);

export class Api {
  prefix: string;
  tokens: Map<string, string>;
  /** attempts at practice tasks, whose routes are elsewhere */
  practised: Set<string>;
  token: string;
  area: string;

  /** @param options base path of the app */
  constructor({ base }: { base: string }) {
    this.prefix = `${base ?? ""}/pagetrail`;
    this.tokens = new Map();
    this.practised = new Set();
    this.token = "";
    this.area = "";
  }

  /** The signed token for an attempt, which is the one on screen; each attempt has its own. */
  use(attempt: string, token: string, practice: boolean = false) {
    this.tokens.set(attempt, token);
    this.token = token;
    if (practice) this.practised.add(attempt);
    this.area = practice ? PRACTICE : "";
  }

  /** State and everything needed to show an attempt. */
  boot(attempt: string): Promise<Pt.AttemptPayload> {
    return this.of(attempt, "GET", "");
  }

  /** Hand over events; see sync/outbox.ts. */
  events(attempt: string, body: Pt.EventBatch, options?: Pt.SendOptions): Promise<Pt.EventsReply> {
    return this.of(attempt, "POST", "/events", body, options);
  }

  /** Run a query. */
  search(attempt: string, body: Pt.SearchRequest): Promise<Pt.SearchResponse> {
    return this.of(attempt, "POST", "/search", body);
  }

  /** Page sizes of a document. */
  document(attempt: string, name: string): Promise<Pt.ShownDocument> {
    return this.of(attempt, "GET", `/document?name=${encodeURIComponent(name)}`);
  }

  /** Boxes of a search's matched words on a page. */
  highlights(
    attempt: string,
    { document, page, search_id }: Pt.Place & { search_id: string },
  ): Promise<Pt.HighlightsReply> {
    const query = new URLSearchParams({ document, page: String(page), search_id });
    return this.of(attempt, "GET", `/highlights?${query}`);
  }

  /** What supervisors have decided, once it is not what the screen has shown; waits for it. */
  news(attempt: string, mark: string, signal: AbortSignal): Promise<Pt.NewsReply> {
    const query = new URLSearchParams({ mark });
    return this.of(attempt, "GET", `/news?${query}`, undefined, { signal });
  }

  /** Words of a page with their places. */
  words(attempt: string, { document, page }: Pt.Place): Promise<Pt.PageWordsReply> {
    const query = new URLSearchParams({ document, page: String(page) });
    return this.of(attempt, "GET", `/words?${query}`);
  }

  /** A page's text for a screen reader, which is recorded. */
  pageText(attempt: string, body: Pt.PageTextRequest): Promise<Pt.PageTextReply> {
    return this.of(attempt, "POST", "/text", body);
  }

  /** Look for a text in a document, which is recorded. */
  find(attempt: string, body: Pt.PageTextRequest): Promise<Pt.TextFound> {
    return this.of(attempt, "POST", "/find", body);
  }

  /** Run the checks of a written question; what was done before must have been stored. */
  checks(
    attempt: string,
    body: Pt.ChecksRequest,
    options?: Pt.SendOptions,
  ): Promise<Pt.ChecksReply> {
    return this.of(attempt, "POST", "/checks", body, options);
  }

  /** What was right in a pilot task that is submitted, and its gold. */
  feedback(attempt: string): Promise<Pt.FeedbackReply> {
    return this.of(attempt, "POST", "/feedback", {});
  }

  /** Close the batch for good. */
  close(assignment: number): Promise<Pt.BatchCloseReply> {
    return this.request("POST", `${this.area}/assignments/${assignment}/close`, {});
  }

  /** The tour of the screen was seen, and is not shown again. */
  endTour(): Promise<Record<string, never>> {
    return this.request("POST", "/tour/done", {}, { keepalive: true });
  }

  /** Address of a page image. */
  pageUrl(sha: string, page: number, dpi: number) {
    const path = `${encodeURIComponent(sha)}/${encodeURIComponent(page)}`;
    return `${this.prefix}${this.area}/page/${path}?dpi=${dpi}&v=${encodeURIComponent(this.token)}`;
  }

  /** Address of the sign-in page that leads back here. */
  loginUrl() {
    return `${this.prefix}/login?next=${encodeURIComponent(window.location.href)}`;
  }

  private of<Reply>(
    attempt: string,
    method: string,
    rest: string,
    body?: unknown,
    options: Pt.SendOptions = {},
  ) {
    const token = this.tokens.get(attempt) ?? this.token;
    const area = this.practised.has(attempt) ? PRACTICE : "";
    const path = `${area}/attempts/${encodeURIComponent(attempt)}${rest}`;
    return this.request<Reply>(method, path, body, { ...options, token });
  }

  /**
   * One request.
   * @param options signal: stops it
   * @returns the JSON reply
   * @throws {ApiError}
   */
  async request<Reply>(
    method: string,
    path: string,
    body?: unknown,
    { keepalive = false, token = this.token, signal }: Pt.SendOptions & { token?: string } = {},
  ): Promise<Reply> {
    let response: Response;
    const limits = [AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])];
    try {
      response = await fetch(this.prefix + path, {
        method,
        credentials: "same-origin",
        cache: "no-store",
        // What somebody did is not to wait for page images; its answer comes a third sooner.
        priority: method === "POST" ? "high" : "auto",
        keepalive,
        signal: keepalive ? undefined : AbortSignal.any(limits),
        headers: {
          "X-Pagetrail": token,
          Accept: "application/json",
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    } catch {
      throw new ApiError("network", t("The server is out of reach."));
    }
    return this.read(response);
  }

  async read(response: Response) {
    const json = (response.headers.get("content-type") ?? "").includes("json");
    let data = null;
    if (json) {
      try {
        data = await response.json();
      } catch {
        throw new ApiError("network", t("The server's answer was cut off."));
      }
      if (response.ok) return data;
    }
    const detail = data?.error ?? {};
    const message =
      detail.message ??
      t("The server answered with an error ({status}).", { status: response.status });
    const retryAfter = Number(response.headers.get("retry-after")) || 0;
    const info = { status: response.status, code: detail.code ?? "", retryAfter };
    if (response.status === 401) throw new ApiError("signed_out", message, info);
    if (FINAL.has(detail.code)) throw new ApiError("final", message, info);
    if (response.status === 409 || response.status === 429 || response.status >= 500) {
      throw new ApiError("retry", message, info);
    }
    if (!json) throw new ApiError("not_json", t("The server's routes cannot be reached."), info);
    const final = response.status === 403 || response.status === 404;
    throw new ApiError(final ? "final" : "invalid", message, info);
  }
}

/**
 * The way through Streamlit's own channel, for hosts that do not pass our routes on. A value is
 * sent again under a new number until the server has answered it.
 */
export class Fallback {
  setStateValue: ((name: string, value: unknown) => void) | null;
  n: number;
  waiting: Map<number, (reply: Pt.FallbackReply) => void>;

  constructor() {
    this.setStateValue = null;
    this.n = 0;
    this.waiting = new Map();
  }

  /** Send and wait for the reply. */
  send(
    attempt: string,
    session: string,
    {
      events = [],
      search = null,
    }: { events?: Pt.EventBatch["events"]; search?: Pt.SearchRequest | null },
  ) {
    return new Promise<Pt.FallbackReply>((resolve) => {
      const put = () => {
        this.n += 1;
        this.waiting.set(this.n, done);
        const message: Pt.FallbackMessage = {
          n: this.n,
          attempt,
          session,
          events: events.map((event) => ({ ...event })),
          search: search && { ...search },
        };
        this.setStateValue?.("outbox", message);
      };
      const timer = setInterval(put, 4000);
      const done = (reply: Pt.FallbackReply) => {
        clearInterval(timer);
        for (const [n, other] of this.waiting) if (other === done) this.waiting.delete(n);
        resolve(reply);
      };
      put();
    });
  }

  /** Take the server's reply from the component's data. */
  deliver(reply: Pt.FallbackReply) {
    this.waiting.get(reply.n)?.(reply);
  }
}
