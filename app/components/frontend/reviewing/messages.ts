/** What the review screen tells: problems, news, the connection, and short messages. */

import { button, iconButton } from "../shared/buttons";
import { fill, h, setText } from "../shared/dom";
import { icon } from "../shared/icons";
import { queueScreen } from "./queue";
import type { Session } from "./session";

const TOAST_MS = 5000;

export class Messages {
  session: Session;
  home: string;
  finished: boolean;
  banners: HTMLDivElement;
  lineText: HTMLSpanElement;
  line: HTMLDivElement;
  toasts: HTMLDivElement;
  timer: number | undefined;

  constructor(session: Pt.Session, home: string) {
    this.session = session;
    this.home = home;
    this.finished = false;
    this.banners = h("div", { class: "banners stack", testid: "banners" });
    this.lineText = h("span", {});
    const props = {
      class: "banner error line notice warning",
      role: "status",
      testid: "offline",
      hidden: true,
    };
    this.line = h("div", props, icon("cloudOff"), this.lineText);
    this.toasts = h("div", { class: "toasts stack", role: "status", testid: "said" });
  }

  /** Show the session's problem and news. */
  show() {
    const { problem, notices } = this.session;
    fill(
      this.banners,
      problem && this.problem(problem),
      notices.length > 0 && this.news([...new Set(notices)].join(" ")),
    );
  }

  problem({ text, action, run, link }: Pt.Problem) {
    return h(
      "div",
      { class: "banner error line notice warning", role: "alert", testid: "problem" },
      icon("warning"),
      h("span", { text }),
      link ? h("a", { href: link, text: action }) : null,
      run ? button(action ?? "", run, { testid: "problem-act" }) : null,
      link || run ? null : this.closeButton(),
    );
  }

  news(text: string) {
    const href = queueScreen(this.home, this.session.data);
    return h(
      "div",
      { class: "banner info line notice warning", role: "status", testid: "notice" },
      icon("history"),
      h("span", { text }),
      this.finished ? h("a", { href, text: "Back to the queue", testid: "notice-queue" }) : null,
      this.closeButton(),
    );
  }

  closeButton() {
    return iconButton("close", "Close this message", () => this.close(), {
      class: "icon-button small",
    });
  }

  /** Close what can be closed; whether there was anything. */
  close() {
    const { session } = this;
    const lasting = session.problem?.run;
    if (!session.notices.length && (!session.problem || lasting)) return false;
    session.notices = [];
    if (!lasting) session.problem = null;
    this.show();
    return true;
  }

  /** @param trying while the server is out of reach */
  connection(trying: boolean, message: string) {
    this.line.hidden = !trying;
    const again = "Your last step is sent again until it arrives; it is done once.";
    setText(this.lineText, trying ? `${message} ${again}` : "");
  }

  /** A short message; read out by screen readers. */
  say(text: string) {
    clearTimeout(this.timer);
    fill(this.toasts, text ? h("div", { class: "toast", text }) : null);
    if (text) this.timer = setTimeout(() => this.say(""), TOAST_MS);
  }
}
