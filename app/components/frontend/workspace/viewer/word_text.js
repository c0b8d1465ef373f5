/** What words of a page say. Pure, without DOM. */

/**
 * The words as text, a line of the page a line.
 * @param {Pt.Word[]} words in reading order
 */
export function joined(words) {
  let text = "";
  let before = null;
  for (const word of words) {
    const sameLine =
      before && word[1] < (before[1] + before[3]) / 2 && word[3] > (before[1] + before[3]) / 2;
    text += `${before ? (sameLine ? " " : "\n") : ""}${word[4]}`;
    before = word;
  }
  return text;
}

/**
 * What is written in a rectangle: the words whose middle is in it.
 * @param {number[]} rect
 * @param {Pt.Word[]} words
 */
export const textIn = ([x0, y0, x1, y1], words) =>
  joined(
    words.filter((word) => {
      const [x, y] = [(word[0] + word[2]) / 2, (word[1] + word[3]) / 2];
      return x >= x0 && x <= x1 && y >= y0 && y <= y1;
    }),
  );

/**
 * The text that a box gets from the page, or null where its text stays.
 * @param {string} content the box's text
 * @param {number[]} rect where the box is
 * @param {number[] | null} before where it was; null for a new box
 * @param {Pt.Word[]} words
 */
export function filledText(content, rect, before, words) {
  const own = content && !(before && content === textIn(before, words));
  const text = textIn(rect, words);
  return own || text === content ? null : text;
}

/** Compatibility forms, lower case, single spaces: as app/workspace/page_text.py counts hits. */
export const normalised = (/** @type {string} */ text) =>
  text.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean).join(" ");

/**
 * Where a text is among the words of a page.
 * @param {Pt.Word[]} words
 * @param {string} wanted
 * @returns {Pt.Word[][]} the words of each hit
 */
export function findWords(words, wanted) {
  const needle = normalised(wanted);
  if (!needle) return [];
  let text = "";
  const ends = words.map((word) => {
    text += `${text ? " " : ""}${normalised(word[4])}`;
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
 * The words as paragraphs: a new one after a gap of most of a line's height, and in another column.
 * @param {Pt.Word[]} words in reading order
 * @returns {string[]}
 */
export function paragraphs(words) {
  /** @type {Pt.Word[][]} */
  const found = [];
  let before = null;
  for (const word of words) {
    const down = before ? word[1] - before[3] : 0;
    const height = before ? before[3] - before[1] : 0;
    const apart = !before || down > GAP * height || word[3] < before[1];
    if (apart) found.push([]);
    found[found.length - 1].push(word);
    before = word;
  }
  return found.map((part) => joined(part).replaceAll("\n", " "));
}
