import { useComputed } from "@preact/signals";
import { Icon } from "../../shared/components/Icon";
import { grouped } from "../../shared/notation";
import { names } from "../../shared/shown_record";
import { isReadOnly } from "../state/attempt_state";

/** What to do when no page is open. */
export function EmptyViewer({ store }: { store: Pt.Store }) {
  const isLocked = useComputed(() => store.locked.value.length > 0).value;
  const text = useComputed(() => nextSteps(store.tracked).join("\n")).value;
  return (
    <>
      <Icon name={isLocked ? "lock" : "page"} />
      {text.split("\n").map((line, index) => (
        <p key={line} class={index ? "quiet" : "lead"}>
          {line}
        </p>
      ))}
    </>
  );
}

function nextSteps(values: Pt.WorkspaceData) {
  const { protocol, corpus, state, results, given, locked, review } = values;
  if (locked.length) return [`Judge ${names(locked)} first; the sources open after that.`];
  if (protocol.pages_after.length && !state.n_page_views) {
    const labels = protocol.pages_after.map(
      (name) => protocol.fields.find((spec) => spec.name === name)?.label ?? "",
    );
    return [
      "Choose a page above to read it.",
      `${names(labels)} can be corrected until a page is opened.`,
    ];
  }
  if (!protocol.search.enabled) return ["Choose a page above to read it."];
  if (results?.results.length)
    return ["Open a result to read it.", "↓ and ↑ move among the results, Enter opens one."];
  if (isReadOnly(state) && !review) return ["No page was open when this task was submitted."];
  if (given?.length) return ["Choose a page above, or search."];
  const size = corpus
    ? `${grouped(corpus.pages)} pages of ${grouped(corpus.documents)} documents`
    : "the collection";
  return [`Search ${size}.`, "Type words that the page must contain, then press Enter. Key: /"];
}
