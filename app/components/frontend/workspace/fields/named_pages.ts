/** Pages that a fixed text names, such as “report.pdf page 3” in a step that is judged. */

/** The text in pieces; those that name a given page have it. */
export function namedPages(text: string, given: Pt.Place[]): { text: string; page?: Pt.Place }[] {
  const pages = new Map(given.map((place) => [`${place.document}\n${place.page}`, place]));
  // The longest first: “b.pdf” is the end of “a b.pdf”.
  const names = [...new Set(given.map(({ document }) => document))]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!names.length || !text) return [{ text }];
  const found: { text: string; page?: Pt.Place }[] = [];
  let from = 0;
  const add = (to: number, page: Pt.Place | undefined) => {
    if (to > from)
      found.push(page ? { text: text.slice(from, to), page } : { text: text.slice(from, to) });
    from = to;
  };
  for (const match of text.matchAll(
    new RegExp(`(${names.join("|")}) pages? (\\d+(?:, \\d+)*)`, "g"),
  )) {
    const [whole, document, numbers] = match;
    const start = match.index + whole.length - numbers.length;
    for (const number of numbers.matchAll(/\d+/g)) {
      const page = pages.get(`${document}\n${Number(number[0])}`);
      if (!page) continue;
      // A single page is named as a whole; of several each number leads to its own.
      add(numbers === number[0] ? match.index : start + number.index, undefined);
      add(start + number.index + number[0].length, page);
    }
  }
  add(text.length, undefined);
  return found;
}
