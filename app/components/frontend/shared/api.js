/** Requests to the server's routes, and what their failures mean. */

/** A failed request. `kind`: network | retry | signed_out | final | invalid | not_json. */
export class ApiError extends Error {
  /** @param {string} kind @param {string} message */
  constructor(kind, message, { status = 0, code = "", retryAfter = 0 } = {}) {
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
  /** @param {{base: string}} options base path of the app */
  constructor({ base }) {
    this.prefix = `${base ?? ""}/pagetrail`;
    this.tokens = new Map();
    /** @type {Set<string>} attempts at practice tasks, whose routes are elsewhere */
    this.practised = new Set();
    this.token = "";
    this.area = "";
  }

  /**
   * The signed token for an attempt, which is the one on screen; each attempt has its own.
   * @param {string} attempt
   * @param {string} token
   * @param {boolean} [practice]
   */
  use(attempt, token, practice = false) {
    this.tokens.set(attempt, token);
    this.token = token;
    if (practice) this.practised.add(attempt);
    this.area = practice ? PRACTICE : "";
  }

  /** State and everything needed to show an attempt. @param {string} attempt */
  boot(attempt) {
    return this.of(attempt, "GET", "");
  }

  /**
   * Hand over events; see sync/outbox.js.
   * @param {string} attempt
   * @param {unknown} body
   * @param {any} [options]
   */
  events(attempt, body, options) {
    return this.of(attempt, "POST", "/events", body, options);
  }

  /** Run a query. @param {string} attempt @param {unknown} [body] */
  search(attempt, body) {
    return this.of(attempt, "POST", "/search", body);
  }

  /** Page sizes of a document. @param {string} attempt @param {string} name */
  document(attempt, name) {
    return this.of(attempt, "GET", `/document?name=${encodeURIComponent(name)}`);
  }

  /** Boxes of a search's matched words on a page. @param {string} attempt @param {any} openPage */
  highlights(attempt, { document, page, search_id }) {
    const query = new URLSearchParams({ document, page: String(page), search_id });
    return this.of(attempt, "GET", `/highlights?${query}`);
  }

  /**
   * What supervisors have decided, once it is not what the screen has shown; waits for it.
   * @param {string} attempt
   * @param {string} seen
   * @param {AbortSignal} signal
   */
  news(attempt, seen, signal) {
    const query = new URLSearchParams({ seen });
    return this.of(attempt, "GET", `/news?${query}`, undefined, { signal });
  }

  /** Words of a page with their places. @param {string} attempt @param {Pt.Place} place */
  words(attempt, { document, page }) {
    const query = new URLSearchParams({ document, page: String(page) });
    return this.of(attempt, "GET", `/words?${query}`);
  }

  /** A page's text for a screen reader, which is recorded. @param {string} attempt @param {unknown} body */
  pageText(attempt, body) {
    return this.of(attempt, "POST", "/text", body);
  }

  /** Look for a text in a document, which is recorded. @param {string} attempt @param {unknown} body */
  find(attempt, body) {
    return this.of(attempt, "POST", "/find", body);
  }

  /**
   * Run the checks of a written question; what was done before must have been stored.
   * @param {string} attempt
   * @param {unknown} [body]
   * @param {any} [options]
   */
  checks(attempt, body, options) {
    return this.of(attempt, "POST", "/checks", body, options);
  }

  /** What was right in a pilot task that is submitted, and its gold. @param {string} attempt */
  feedback(attempt) {
    return this.of(attempt, "POST", "/feedback", {});
  }

  /** Close the batch for good. @param {any} assignment */
  close(assignment) {
    return this.request(
      "POST",
      `${this.area}/assignments/${encodeURIComponent(assignment)}/close`,
      {},
    );
  }

  /** Address of a page image. @param {string} sha @param {number} page @param {number} dpi */
  pageUrl(sha, page, dpi) {
    const path = `${encodeURIComponent(sha)}/${encodeURIComponent(page)}`;
    return `${this.prefix}${this.area}/page/${path}?dpi=${dpi}&v=${encodeURIComponent(this.token)}`;
  }

  /** Address of the sign-in page that leads back here. */
  loginUrl() {
    return `${this.prefix}/login?next=${encodeURIComponent(window.location.href)}`;
  }

  /** @param {string} attempt @param {string} method @param {string} rest @param {unknown} [body] */
  of(attempt, method, rest, body, options = {}) {
    const token = this.tokens.get(attempt) ?? this.token;
    const area = this.practised.has(attempt) ? PRACTICE : "";
    const path = `${area}/attempts/${encodeURIComponent(attempt)}${rest}`;
    return this.request(method, path, body, { ...options, token });
  }

  /**
   * One request.
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {{keepalive?: boolean, token?: string, signal?: AbortSignal}} [options] signal: stops it
   * @returns {Promise<any>} the JSON reply
   * @throws {ApiError}
   */
  async request(method, path, body, { keepalive = false, token = this.token, signal } = {}) {
    let response;
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
      throw new ApiError("network", "The server is out of reach.");
    }
    return this.read(response);
  }

  /** @param {Response} response */
  async read(response) {
    const json = (response.headers.get("content-type") ?? "").includes("json");
    let data = null;
    if (json) {
      try {
        data = await response.json();
      } catch {
        throw new ApiError("network", "The server's answer was cut off.");
      }
      if (response.ok) return data;
    }
    const detail = data?.error ?? {};
    const message = detail.message ?? `The server answered with an error (${response.status}).`;
    const retryAfter = Number(response.headers.get("retry-after")) || 0;
    const info = { status: response.status, code: detail.code ?? "", retryAfter };
    if (response.status === 401) throw new ApiError("signed_out", message, info);
    if (FINAL.has(detail.code)) throw new ApiError("final", message, info);
    if (response.status === 409 || response.status === 429 || response.status >= 500) {
      throw new ApiError("retry", message, info);
    }
    if (!json) throw new ApiError("not_json", "The server's routes cannot be reached.", info);
    const final = response.status === 403 || response.status === 404;
    throw new ApiError(final ? "final" : "invalid", message, info);
  }
}

/**
 * The way through Streamlit's own channel, for hosts that do not pass our routes on. A value is
 * sent again under a new number until the server has answered it.
 */
export class Fallback {
  constructor() {
    /** @type {((name: string, value: any) => void) | null} */
    this.setStateValue = null;
    this.n = 0;
    this.waiting = new Map();
  }

  /**
   * Send and wait for the reply.
   * @param {string} attempt
   * @param {string} session
   * @param {{ events?: Pt.Event[], search?: any }} given
   */
  send(attempt, session, { events = [], search = null }) {
    return new Promise((resolve) => {
      const put = () => {
        this.n += 1;
        this.waiting.set(this.n, done);
        this.setStateValue?.("outbox", { n: this.n, attempt, session, events, search });
      };
      const timer = setInterval(put, 4000);
      const done = (/** @type {any} */ reply) => {
        clearInterval(timer);
        for (const [n, other] of this.waiting) if (other === done) this.waiting.delete(n);
        resolve(reply);
      };
      put();
    });
  }

  /** Take the server's reply from the component's data. @param {any} reply */
  deliver(reply) {
    this.waiting.get(reply?.n)?.(reply);
  }
}
