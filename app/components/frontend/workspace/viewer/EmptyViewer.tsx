import { useComputed } from "@preact/signals";
import { Icon } from "../../shared/components/Icon";
import { quotedList } from "../../shared/components/MaterialList";
import { keyName } from "../../shared/keys";
import { t } from "../../shared/messages";
import { grouped } from "../../shared/notation";
import { isReadOnly } from "../state/attempt_state";

/** What to do when no page is open. */
export function EmptyViewer({ store }: { store: Pt.Store }) {
  const isEmpty = useComputed(() => store.page.value === null).value;
  const isLocked = useComputed(() => store.locked.value.length > 0).value;
  const text = useComputed(() => nextSteps(store.tracked).join("\n")).value;
  if (!isEmpty) return null;
  return (
    <div class="empty" data-testid="viewer-empty">
      <Icon name={isLocked ? "lock" : "page"} />
      {text.split("\n").map((line, index) => (
        <p key={line} class={index ? "quiet" : "lead"}>
          {line}
        </p>
      ))}
    </div>
  );
}

function nextSteps(values: Pt.WorkspaceData) {
  const { protocol, corpus, state, results, given_pages: given, locked, review } = values;
  if (locked.length)
    return [
      t("Judge {labels} first; the sources open after that.", { labels: quotedList(locked) }),
    ];
  if (protocol.pages_after.length && !state.n_page_views) {
    const labels = protocol.pages_after.map(
      (name) => protocol.fields.find((spec) => spec.name === name)?.label ?? "",
    );
    return [
      t("Choose a page above to read it."),
      t("{labels} can be corrected until a page is opened.", { labels: quotedList(labels) }),
    ];
  }
  if (given?.length === 0)
    return protocol.question.kind === "editable"
      ? [t("This task has no pages to open."), t("Write your question in the panel on the right.")]
      : [t("This task has no pages to open.")];
  if (!protocol.search.enabled) return [t("Choose a page above to read it.")];
  if (results?.results.length)
    return [
      t("Open a result to read it."),
      t("{down} and {up} move among the results, Enter opens one.", {
        down: keyName("nextResult"),
        up: keyName("previousResult"),
      }),
    ];
  if (isReadOnly(state) && !review) return [t("No page was open when this task was submitted.")];
  if (given?.length) return [t("Choose a page above, or search.")];

  return [
    corpus
      ? t("Search {pages} pages of {documents} documents.", {
          pages: grouped(corpus.pages),
          documents: grouped(corpus.documents),
        })
      : t("Search the collection."),
    t("Type words that the page must contain, then press Enter. Key: {key}", {
      key: keyName("focusSearch"),
    }),
  ];
}
