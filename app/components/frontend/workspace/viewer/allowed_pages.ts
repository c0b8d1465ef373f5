/** The pages of a task that may be opened; null for all. Without browsing, those that searches found. */
export function allowedPages({
  protocol,
  given_pages: given,
  locked,
  review,
  state,
}: Pick<Pt.WorkspaceData, "protocol" | "given_pages" | "locked" | "review" | "state">) {
  // Who makes gold need not have found its pages by searching.
  const isFree = (protocol.browse || (review && !given)) && !locked.length;
  if (isFree) return null;
  if (given) return given;
  return state.searches.flatMap(({ results }) =>
    results.map(([document, page]) => ({ document, page })),
  );
}
