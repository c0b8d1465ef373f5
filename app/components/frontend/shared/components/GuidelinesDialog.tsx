import { type ComponentChild, createElement } from "preact";
import { t } from "../messages";
import { Dialog, openDialog } from "./Dialog";

const TAGS =
  /^(p|h[1-4]|ul|ol|li|strong|em|code|pre|a|blockquote|table|thead|tbody|tr|th|td|hr|br)$/;

/** Show the campaign's guidelines; resolves when they are closed. */
export function openGuidelines(host: Element, campaign: string, guidelines: Pt.MarkdownNode[]) {
  return openDialog(host, (close) => (
    <Dialog
      title={t("Guidelines: {campaign}", { campaign })}
      testid="guidelines-dialog"
      wide
      onClose={close}
    >
      <div class="prose stack">
        {guidelines.length ? (
          guidelines.map(markdown)
        ) : (
          <p class="quiet">{t("This campaign has no written guidelines.")}</p>
        )}
      </div>
    </Dialog>
  ));
}

/** Parsed Markdown; only known tags, and links only to the web or the page itself. */
function markdown(node: Pt.MarkdownNode): ComponentChild {
  if (typeof node === "string") return node;
  const { tag, href = "", children } = node;
  const isLink = tag === "a";
  const isSafe = TAGS.test(tag) && (!isLink || /^(https?:|mailto:|#)/i.test(href));
  const props = isLink ? { href, target: "_blank", rel: "noopener noreferrer" } : {};
  return createElement(isSafe ? tag : "span", isSafe ? props : {}, ...children.map(markdown));
}
