/**
 * Requests of the screen. What changes something carries an id of this browser's making: it is sent
 * again under the same id until an answer has come, and the server does nothing twice.
 */

import { Api, ApiError } from "../shared/api";
import { queueHere } from "./queue";

const AGAIN_MS = [500, 1000, 2000, 4000, 5000];

/** A fresh id. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `review-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** What a request of the screen holds besides its id. */
export type RequestBody<Act extends keyof Pt.ReviewRequests> = Omit<Pt.ReviewRequests[Act], "id">;

export class Acts {
  api: Api;
  onConnection: (trying: boolean, message: string) => void;
  wait: (ms: number) => Promise<void>;
  previews: number;
  gone: boolean;
  /** the task of which the reviewer has asked what the dataset says */
  datasetShown: number | null = null;

  constructor({
    base,
    onConnection,
    wait,
  }: {
    /** the app's base path */
    base: string;
    /** while the server is out of reach */
    onConnection: (trying: boolean, message: string) => void;
    wait?: (ms: number) => Promise<void>;
  }) {
    this.api = new Api({ base });
    this.onConnection = onConnection;
    this.wait = wait ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
    this.previews = 0;
    this.gone = false;
  }

  /** The token with which page images are fetched. */
  use(token: string) {
    this.api.token = token;
  }

  /** The task as it is now. */
  load(task: number): Promise<Pt.ReviewData> {
    return this.api.request("GET", this.path(task));
  }

  /** Address of a task, or of something done with it, in the queue that it was opened from. */
  path(task: number, act = "") {
    const query = new URLSearchParams();
    const queue = queueHere();
    if (queue) query.set("queue", queue);
    if (task === this.datasetShown) query.set("dataset", "1");
    const asked = query.toString();
    return `/reviews/${encodeURIComponent(task)}${act && `/${act}`}${asked && `?${asked}`}`;
  }

  /**
   * Carry something out; resolves with the task as it is then.
   * @param body without an id
   * @throws {ApiError} what the server refuses
   */
  async send<Act extends keyof Pt.ReviewRequests>(
    task: number,
    act: Act,
    body: RequestBody<Act>,
  ): Promise<Pt.ReviewData> {
    const whole = { id: newId(), ...body };
    const path = this.path(task, act);
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await this.api.request<Pt.ReviewData>("POST", path, whole);
        if (attempt) this.onConnection(false, "");
        return answer;
      } catch (error) {
        if (this.gone || !(error instanceof ApiError && again(error))) {
          if (attempt) this.onConnection(false, "");
          throw error;
        }
        this.onConnection(true, error.message);
        await this.wait(AGAIN_MS[Math.min(attempt, AGAIN_MS.length - 1)]);
      }
    }
  }

  /**
   * What a draft of these picks would be; null where a later question has been asked meanwhile.
   * @throws {ApiError}
   */
  async preview(task: number, picks: Pt.Selections): Promise<Pt.DraftPreview | null> {
    this.previews += 1;
    const mine = this.previews;
    try {
      const path = `/reviews/${encodeURIComponent(task)}/preview`;
      const answer = await this.api.request<Pt.DraftPreview>("POST", path, { picks });
      return mine === this.previews ? answer : null;
    } catch (error) {
      if (mine !== this.previews) return null;
      throw error;
    }
  }

  /** Answers to previews that are still out are of no use any more. */
  forget() {
    this.previews += 1;
  }
}

/** Whether sending the same again may help: a refusal (409) stays one. */
function again({ transient, status }: ApiError) {
  return transient && status !== 409;
}
