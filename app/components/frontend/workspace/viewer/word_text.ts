/** What words of a page say. Pure, without DOM. */

/** Ends the first part of a word that the end of a line divides, see storage/corpus/word_joining.py. */
const JOINT = "\u00ad";

/**
 * The words as text, a line of the page a line; a divided word is on its first line.
 * @param words in reading order
 */
export function joined(words: Pt.Word[]) {
  let text = "";
  let before = null;
  for (const word of words) {
    const sameLine =
      before && word[1] < (before[1] + before[3]) / 2 && word[3] > (before[1] + before[3]) / 2;
    const space = before ? (sameLine ? " " : "\n") : "";
    text = text.endsWith(JOINT) ? withoutJoint(text) + word[4] : text + space + word[4];
    before = word;
  }
  return withoutJoint(text);
}

const withoutJoint = (text: string) => (text.endsWith(JOINT) ? text.slice(0, -1) : text);

/** The words whose middle is in a rectangle. */
export const wordsIn = ([x0, y0, x1, y1]: number[], words: Pt.Word[]) =>
  words.filter((word) => {
    const [x, y] = [(word[0] + word[2]) / 2, (word[1] + word[3]) / 2];
    return x >= x0 && x <= x1 && y >= y0 && y <= y1;
  });

/** What is written in a rectangle. */
export const textIn = (rect: number[], words: Pt.Word[]) => joined(wordsIn(rect, words));

/**
 * The text that a box gets from the page, or null where its text stays.
 * @param content the box's text
 * @param rect where the box is
 * @param before where it was; null for a new box
 */
export function filledText(
  content: string,
  rect: number[],
  before: number[] | null,
  words: Pt.Word[],
) {
  const own = content && !(before && content === textIn(before, words));
  const text = textIn(rect, words);
  return own || text === content ? null : text;
}

/** Compatibility forms, lower case, single spaces: as app/workspace/find_computation.py. */
export const normalised = (text: string) =>
  text
    .replace(/\u00ad\s*/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .join(" ");

/**
 * Where a text is among the words of a page.
 * @returns the words of each hit
 */
export function findWords(words: Pt.Word[], wanted: string): Pt.Word[][] {
  const needle = normalised(wanted);
  if (!needle) return [];
  let text = "";
  let isDivided = false;
  const ends = words.map((word) => {
    text += `${text && !isDivided ? " " : ""}${normalised(word[4])}`;
    isDivided = word[4].endsWith(JOINT);
    return text.length;
  });
  const found = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    const first = ends.findIndex((end) => end > at);
    const last = ends.findIndex((end) => end >= at + needle.length);
    found.push(words.slice(first, last + 1));
  }
  return found;
}

const GAP = 0.7;

/**
 * Blocks of text: a new one after a gap of most of a line's height, and in another column.
 * @param words in reading order
 * @returns numbers of the first and the last word of each
 */
export function blocksOf(words: Pt.Word[]): [number, number][] {
  const blocks: [number, number][] = [];
  words.forEach((word, i) => {
    const before = words[i - 1];
    const isApart =
      !before || word[1] - before[3] > GAP * (before[3] - before[1]) || word[3] < before[1];
    if (isApart) blocks.push([i, i]);
    else blocks[blocks.length - 1][1] = i;
  });
  return blocks;
}

/** The text of each block. */
export const paragraphs = (words: Pt.Word[]) =>
  blocksOf(words).map(([first, last]) =>
    joined(words.slice(first, last + 1)).replaceAll("\n", " "),
  );

/** Words as paragraphs apart: lines are joined, and so are words that the end of a line divides. */
export const asParagraphs = (words: Pt.Word[]) =>
  blocksOf(words)
    .map(([first, last]) =>
      joined(words.slice(first, last + 1))
        .replace(/(\p{Ll})-\n(?=\p{Ll})/gu, "$1")
        .replaceAll("\n", " "),
    )
    .join("\n\n");
