/** Always in view: position in the batch, when it was saved, the connection; and the banners. */

import { button, iconButton } from "../../shared/buttons";
import { h, plural, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { timeOfDay } from "../../shared/notation";
import { sentence } from "../../shared/sentences";

/**
 * @param actions toggleLeft(), toggleRight(), reopen(), recover(use),
 * loginUrl()
 */
export function createTopBar(actions: Pt.Actions): {
  element: HTMLElement;
  banners: HTMLElement;
  update: (data: any, local: any) => void;
} {
  const left = iconButton("panelLeft", "Batch panel", actions.toggleLeft, {
    testid: "toggle-left",
  });
  const right = iconButton("panelRight", "Answer panel", actions.toggleRight, {
    testid: "toggle-right",
  });
  const position = h("span", { class: "position strong nowrap", testid: "position" });
  const practice = h("span", {
    class: "badge pill practice nowrap",
    testid: "practice",
    text: "Practice: does not count",
  });
  const badge = h("span", { class: "badge pill", testid: "task-status" });
  const saved = h("span", { class: "saved number inline nowrap", testid: "saved" });
  const connectionText = h("span", {});
  const connectionIcon = h("span", { class: "icon-slot" });
  const connection = h(
    "span",
    { class: "connection number inline nowrap", testid: "connection", role: "status" },
    connectionIcon,
    connectionText,
  );
  const element = h(
    "header",
    { class: "top line medium" },
    left,
    position,
    practice,
    badge,
    h("span", { class: "spacer" }),
    saved,
    connection,
    right,
  );
  const banners = h("div", { class: "banners stack" });
  let bannerKey = "";

  function update(
    data: Pt.WorkspaceData,
    { unsaved, left: leftOpen, right: rightOpen }: { unsaved: any; left: any; right: any },
  ) {
    const { pending: changes } = data;
    const { batch, state, connection: status, review } = data;
    const place =
      batch.size === null
        ? batch.code_name
        : `${batch.code_name} · ${batch.position} of ${batch.size}`;
    const name = data.practice ? data.campaign.title : place;
    setText(position, review ? `${data.campaign.name} · gold draft` : name);
    practice.hidden = !data.practice;
    const words = ({ submitted: "Submitted", skipped: "Skipped" } as Record<string, string>)[
      state.status
    ];
    const ended = data.withdrawn ? "Withdrawn" : "Closed";
    setText(badge, state.closed ? ended : (words ?? (state.returned ? "Sent back" : "")));
    badge.hidden = !badge.textContent || Boolean(review);
    badge.classList.toggle("returned", state.returned);
    setAttr(left, "aria-pressed", String(leftOpen));
    setAttr(right, "aria-pressed", String(rightOpen));
    const kind = status.kind;
    const savedText = data.savedAt ? `Saved ${timeOfDay(data.savedAt)}` : "Nothing to save yet";
    const refused = kind === "stopped" || kind === "full";
    setText(saved, unsaved ? (refused ? "Not saved" : "Saving…") : savedText);
    saved.classList.toggle("busy", unsaved);
    const waiting = changes ? ` – ${plural(changes, "change")} waiting` : "";
    const text = {
      online: "Online",
      offline: `Offline${waiting}`,
      busy: `Server busy${waiting}`,
      "signed-out": `Signed out${waiting}`,
      stopped: "Stopped",
      full: "Full",
    }[kind];
    setText(connectionText, text ?? "");
    element.dataset.connection = kind;
    if (connectionIcon.dataset.kind !== kind) {
      connectionIcon.dataset.kind = kind;
      connectionIcon.replaceChildren(icon(kind === "online" ? "cloud" : "cloudOff"));
    }
    updateBanners(data, kind);
  }

  function updateBanners(data: Pt.WorkspaceData, kind: string) {
    const { state } = data;
    const when = state.status === "open" ? "" : submittedAt(state);
    const key = [
      kind,
      state.status,
      state.closed,
      state.outcome,
      state.feedback === null,
      when,
      data.attempt,
      data.recovered?.text,
      data.withdrawn,
      data.campaign.status,
      data.newGuidelines,
    ].join("|");
    if (key === bannerKey) return;
    bannerKey = key;
    banners.replaceChildren(
      ...[
        connectionBanner(data, kind),
        stateBanner(data),
        campaignBanner(data),
        guidelinesBanner(data),
        textBanner(data),
      ].filter((one) => one !== null),
    );
  }

  function connectionBanner(data: Pt.WorkspaceData, kind: string) {
    if (kind === "signed-out") {
      const link = h("a", {
        href: actions.loginUrl(),
        target: "_blank",
        rel: "noopener",
        text: "Sign in again",
      });
      return banner(
        "warning",
        "alert",
        "banner-signed-out",
        "Signed out. Your work of the last moments waits in this tab. ",
        link,
      );
    }
    if (kind === "offline") {
      return banner(
        "warning",
        "status",
        "banner-offline",
        "No connection. Go on working: changes are kept in this browser and sent when it is back.",
      );
    }
    if (kind === "busy") {
      return banner(
        "warning",
        "status",
        "banner-busy",
        `${data.connection.message || "The server does not answer properly."} ` +
          "Changes are kept in this browser and sent again.",
      );
    }
    if (kind === "full") {
      return banner("error", "alert", "banner-full", data.connection.message ?? "");
    }
    if (kind === "stopped") {
      return banner(
        "error",
        "alert",
        "banner-stopped",
        data.connection.message || "The server refuses this task.",
      );
    }
    return null;
  }

  function campaignBanner({ campaign, review, withdrawn }: Pt.WorkspaceData) {
    if (review || withdrawn || campaign.status !== "closed") return null;
    return banner("info", "status", "banner-campaign-closed", sentence("campaign_closed"));
  }

  function guidelinesBanner({ newGuidelines, review }: Pt.WorkspaceData) {
    if (!newGuidelines || review) return null;
    const read = button("Read them", actions.guidelines, { testid: "read-guidelines" });
    const said = h("span", { text: sentence("guidelines_changed") });
    return banner("warning", "status", "banner-guidelines", said, read);
  }

  function stateBanner({ state, review, protocol, withdrawn, archived, home }: Pt.WorkspaceData) {
    if (review) return null;
    if (withdrawn) {
      const others = h("a", { href: home || "/", text: "My batches" });
      return banner("warning", "alert", "banner-withdrawn", `${sentence("withdrawn")} `, others);
    }
    if (archived) return banner("info", "status", "banner-archived", sentence("archived"));
    if (state.closed) {
      return banner("info", "status", "banner-closed", sentence("batch_closed"));
    }
    if (state.status !== "submitted" && state.status !== "skipped") return null;
    const outcome =
      (
        { not_found: " as “No answer found”", unanswerable: " as unanswerable" } as Record<
          string,
          string
        >
      )[state.outcome ?? ""] ?? "";
    const at = submittedAt(state);
    const when = at ? ` ${timeOfDay(at, false)}` : "";
    const reason = state.status === "skipped" && state.skip_reason ? `: ${state.skip_reason}` : "";
    const without = state.missing.length
      ? ` The time was up: submitted without ${state.missing
          .map((part) => protocol.fields.find(({ name }) => name === part)?.label ?? part)
          .join(", ")}.`
      : "";
    const text =
      state.status === "submitted"
        ? `Submitted${when}${outcome}.${without}`
        : `Skipped${when}${reason}.`;
    const reopen = button("Reopen", actions.reopen, { testid: "reopen" });
    // Once the gold of a pilot task has been shown it stays as it was submitted.
    return banner(
      "info",
      "status",
      "banner-handed-in",
      h("span", { text }),
      state.feedback === null && protocol.study.go_back && reopen,
    );
  }

  function textBanner({ recovered }: Pt.WorkspaceData) {
    if (!recovered) return null;
    const use = button("Use it", () => actions.recover(true), { testid: "recover-use" });
    const drop = button("Discard", () => actions.recover(false), { testid: "recover-discard" });
    const name = recovered.field === "note" ? "A note" : "An answer";
    return banner(
      "warning",
      "status",
      "banner-recovered",
      h("span", {
        text: `${name} typed in this browser was not saved, and a newer one exists: “${recovered.text.slice(0, 120)}”`,
      }),
      use,
      drop,
    );
  }
  return { element, banners, update };
}

/** When the task was submitted; not known once somebody has commented on it since. */
function submittedAt({ comments, updated_at: at }: { comments: Pt.Comment[]; updated_at: any }) {
  const last = comments.at(-1);
  return last && (last.at === null || last.at >= at) ? null : at;
}

function banner(
  kind: string,
  role: string,
  testid: string,
  ...children: (Node | string | false | null)[]
) {
  return h(
    "div",
    { class: `banner line notice warning ${kind}`, role, testid },
    kind === "info" ? null : icon("warning"),
    ...children,
  );
}
