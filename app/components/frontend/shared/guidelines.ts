/** The campaign's guidelines and the map of keys, as dialogs. */

import type { OpenDialog } from "./dialogs";
import { openDialog } from "./dialogs";
import { h } from "./dom";
import { t } from "./messages";

const TAGS = new Set([
  "p",
  "h1",
  "h2",
  "h3",
  "h4",
  "ul",
  "ol",
  "li",
  "strong",
  "em",
  "code",
  "pre",
  "a",
  "blockquote",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
  "hr",
  "br",
]);

/** Elements of parsed Markdown; only known tags, and links only to the web or the page itself. */
function build(node: string | any): Node {
  if (typeof node === "string") return document.createTextNode(node);
  const children = (node.children ?? []).map(build);
  if (!TAGS.has(node.tag)) return h("span", {}, ...children);
  if (node.tag !== "a") return h(node.tag, {}, ...children);
  const safe = /^(https?:|mailto:|#)/i.test(node.href ?? "");
  if (!safe) return h("span", {}, ...children);
  return h("a", { href: node.href, target: "_blank", rel: "noopener noreferrer" }, ...children);
}

/** Show the guidelines. */
export function openGuidelines(
  host: Element,
  { campaign, guidelines }: { campaign: any; guidelines: Pt.MarkdownNode[] },
): OpenDialog {
  const text = guidelines?.length
    ? guidelines.map(build)
    : [h("p", { class: "quiet", text: t("This campaign has no written guidelines.") })];
  const body = h("div", { class: "prose stack" }, ...text);
  const title = t("Guidelines: {campaign}", { campaign: campaign.title ?? campaign.name });
  return openDialog(host, { title, testid: "guidelines-dialog", wide: true, body: [body] });
}

/** Show the keys. */
export function openKeys(
  host: Element,
  groups: Array<{ title: string; keys: Pt.ScreenKey[] }>,
): OpenDialog {
  const lists = groups.map(({ title, keys }) =>
    h(
      "section",
      {},
      h("h3", { text: title }),
      h(
        "dl",
        { class: "keys stack tight" },
        ...keys.map(({ shown, label }) =>
          h(
            "div",
            {},
            h("dt", {}, ...shown.map((key) => h("kbd", { text: key }))),
            h("dd", { text: label }),
          ),
        ),
      ),
    ),
  );
  const note = h("p", {
    class: "quiet",
    text: t("Keys without Ctrl are off while you type; Esc leaves the field."),
  });
  const body = h("div", { class: "key-map" }, ...lists);
  return openDialog(host, {
    title: t("Keys"),
    testid: "help-dialog",
    wide: true,
    body: [body, note],
  });
}
