import { render } from "preact";
import { h } from "../shared/dom";
import { t } from "../shared/messages";
import { createStore } from "../shared/store";
import { send } from "./send";
import { Upload } from "./Upload";

const MEBIBYTE = 1024 * 1024;

/** A file that was chosen, and where it is. */
export interface ChosenFile {
  id: number;
  name: string;
  /** "waiting", "40 %", "sent", or why it was not taken */
  state: string;
  isRefused: boolean;
}

/** Sends chosen files, one after the other; when the last one is through, the script runs again. */
export class UploadScreen {
  readonly store = createStore<{ files: ChosenFile[] }>({ files: [] });
  private readonly queue: { id: number; file: File }[] = [];
  private readonly element = h("div", { class: "upload" });
  private data: Pt.UploadData | null = null;
  private onSent = () => {};
  private isSending = false;
  private nextId = 0;

  constructor(root: ShadowRoot | HTMLElement) {
    root.append(this.element);
  }

  /** The script ran: show its data; files under way go on. */
  update(data: Pt.UploadData, onSent: () => void) {
    // What was sent is in the script's list of waiting files now; refusals stay to be read.
    if (this.data && this.data.uploads !== data.uploads && !this.isSending)
      this.store.set({ files: this.store.data.files.filter(({ isRefused }) => isRefused) });
    this.data = data;
    this.onSent = onSent;
    render(<Upload files={this.store.files} onChoose={(files) => this.add(files)} />, this.element);
  }

  destroy() {
    render(null, this.element);
  }

  private add(files: FileList) {
    if (!this.data) return;
    const state = t("waiting");
    const added = [...files].map((file) => ({ id: this.nextId++, file }));
    const shown = this.isSending ? this.store.data.files : [];
    this.store.set({
      files: [
        ...shown,
        ...added.map(({ id, file }) => ({ id, name: file.name, state, isRefused: false })),
      ],
    });
    this.queue.push(...added);
    if (!this.isSending) this.sendAll();
  }

  private async sendAll() {
    this.isSending = true;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      const { id, file } = next;
      const { data } = this;
      if (!data) break;
      const problem =
        file.size > data.maxBytes
          ? t("larger than {limit} MiB", { limit: Math.floor(data.maxBytes / MEBIBYTE) })
          : await send(file, data, (share) =>
              this.setState(id, { state: `${Math.floor(100 * share)} %` }),
            );
      this.setState(id, { state: problem ?? t("sent"), isRefused: problem !== null });
    }
    this.isSending = false;
    this.onSent();
  }

  private setState(id: number, change: Partial<ChosenFile>) {
    this.store.set({
      files: this.store.data.files.map((file) => (file.id === id ? { ...file, ...change } : file)),
    });
  }
}
