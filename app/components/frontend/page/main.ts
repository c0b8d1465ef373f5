/** Runs on each screen before Streamlit's client; the script's data has its sentences. */

import { answerOf, ConnectionNotice, follow } from "./connection_notice";

const {
  prefix = "",
  blocked = "",
  unreachable = "",
} = document.querySelector<HTMLElement>("script[data-prefix]")?.dataset ?? {};

const box = document.createElement("p");
box.setAttribute("role", "alert");
box.id = "connection-notice";

function show(sentence: string | null) {
  box.textContent = sentence ?? "";
  if (sentence) document.body.append(box);
  else box.remove();
}

const notice = new ConnectionNotice({
  ask: () => answerOf(fetch(`${prefix}/socket-report`, { method: "POST" })),
  show,
  signIn: () =>
    window.location.assign(`${prefix}/login?next=${encodeURIComponent(window.location.href)}`),
  later(call, ms) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  // These two have a banner of their own once they are drawn.
  speaksForItself: () =>
    ["task", "reviewing"].includes(window.location.pathname.split("/").pop() ?? "") &&
    document.querySelector(".stElementContainer") !== null,
  sentences: { blocked, unreachable },
});
follow(notice, window);
