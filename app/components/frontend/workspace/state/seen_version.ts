/** Which version of a document is on screen, for events about its pages and boxes. */

/** Version of the payload's document, or of its box's; 1 without any. */
export function versionOnScreen(
  { page, documents, state }: Pick<Pt.WorkspaceData, "page" | "documents" | "state">,
  payload: object,
): number {
  const { document: named, box: id } = payload as { document?: string | null; box?: string };
  const box = id === undefined ? undefined : state.boxes.boxes.find((other) => other.id === id);
  const name = named ?? box?.document;
  if (!name) return 1;
  // A search may have brought a newer version than the page that is still painted.
  const painted = page && page.document === name ? page.version : undefined;
  return painted ?? documents[name]?.version ?? 1;
}
