/**
 * A place for PDF files: chosen or dropped here, each is sent to the upload route, one after the
 * other, with its progress. When the last one is through, the script runs again.
 */

import { h } from "../shared/dom";

const places = new WeakMap();
const MEGABYTE = 1024 * 1024;

/** Send one file; resolves with a sentence about a refusal, or null. */
function send(
  file: any,
  { address, token, messages }: { address: any; token: string; messages: Record<string, string> },
  tell: any,
) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("PUT", address + encodeURIComponent(file.name));
    request.setRequestHeader("X-Pagetrail", token);
    request.upload.addEventListener("progress", (event) => tell(event.loaded, event.total));
    request.addEventListener("error", () => resolve(messages.connectionLost));
    request.addEventListener("load", () => {
      if (request.status === 200) resolve(null);
      else resolve(refusal(request.responseText, messages.refused));
    });
    request.send(file);
  });
}

function refusal(text: string, fallback: string) {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return fallback;
  }
}

/** One place on the screen; `data` and `done` are those of the latest run of the script. */
class Place {
  queue: { file: File; state: HTMLElement }[];
  busy: boolean;
  input: HTMLInputElement;
  list: HTMLUListElement;
  zone: HTMLLabelElement;

  data: any;
  done!: (name: string, value: any) => void;

  constructor(root: any, data: any) {
    this.data = data;
    this.queue = [];
    this.busy = false;
    this.input = h("input", {
      type: "file",
      multiple: true,
      accept: ".pdf,application/pdf",
      testid: "upload-input",
      on: { change: () => this.take(this.input.files) },
    });
    this.list = h("ul", { "aria-live": "polite", testid: "upload-list" });
    this.zone = h(
      "label",
      {
        class: "zone",
        on: {
          dragover: (event) => this.over(event, true),
          dragleave: (event) => this.over(event, false),
          drop: (event) => this.drop(event),
        },
      },
      h("span", { text: data.messages.dropZone }),
      this.input,
    );
    root.append(style(), this.zone, this.list);
  }

  over(event: any, inside: any) {
    event.preventDefault();
    this.zone.classList.toggle("over", inside);
  }

  drop(event: any) {
    this.over(event, false);
    this.take(event.dataTransfer.files);
  }

  take(files: any) {
    if (!this.busy) this.list.replaceChildren();
    for (const file of files) {
      const state = h("span", { text: this.data.messages.waiting });
      this.list.append(h("li", {}, h("span", { text: file.name }), state));
      this.queue.push({ file, state });
    }
    this.input.value = "";
    if (!this.busy) this.work();
  }

  /** What was sent is in the script's list of waiting files now; refusals stay to be read. */
  tidy() {
    if (this.busy) return;
    for (const line of [...this.list.children]) {
      if (line.querySelector(".problem") === null) line.remove();
    }
  }

  async work() {
    this.busy = true;
    while (this.queue.length > 0) {
      const { file, state } = this.queue.shift() as any;
      const problem =
        file.size > this.data.maxBytes
          ? this.data.messages.tooLarge.replace(
              "{limit}",
              `${Math.floor(this.data.maxBytes / MEGABYTE)}`,
            )
          : await send(file, this.data, (done: any, total: any) => {
              state.textContent = `${Math.floor((100 * done) / Math.max(1, total))} %`;
            });
      state.textContent = problem ?? this.data.messages.sent;
      state.classList.toggle("problem", problem !== null);
    }
    this.busy = false;
    this.done("sent", Date.now());
  }
}

function style() {
  return h("style", {
    text: `
      .zone { display: flex; gap: 16px; align-items: center; flex-wrap: wrap; padding: 16px;
        border: 1px dashed var(--st-border-color); border-radius: 8px; font: inherit; }
      .zone.over { background: var(--st-secondary-background-color); }
      .zone input { font: inherit; color: inherit; }
      .zone input::file-selector-button { font: inherit; color: inherit; padding: 8px 16px;
        margin-right: 16px; background: var(--st-background-color); cursor: pointer;
        border: 1px solid var(--st-border-color); border-radius: 8px; }
      .zone input:focus-visible { outline: 2px solid var(--st-primary-color); }
      ul { list-style: none; margin: 8px 0 0; padding: 0; max-height: 160px; overflow-y: auto; }
      li { display: flex; justify-content: space-between; gap: 16px; padding: 2px 0; }
      li span:last-child { text-align: right; }
      .problem { font-weight: 600; }
    `,
  });
}

/** Show the place. Called again on every rerun of the script; files under way go on. */
export function mount({
  data,
  parentElement: root,
  setStateValue,
}: {
  data: any;
  parentElement: ShadowRoot | HTMLElement;
  setStateValue: (...args: any[]) => any;
}) {
  let place = places.get(root);
  if (!place) {
    place = new Place(root, data);
    places.set(root, place);
  }
  if (place.data && place.data.uploads !== data.uploads) place.tidy();
  place.data = data;
  place.done = setStateValue;
}
