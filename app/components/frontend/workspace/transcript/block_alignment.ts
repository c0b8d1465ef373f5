/**
 * Finds the blocks of a text on its page: which words of the page each block repeats. Pure,
 * without DOM.
 */

/** A part of the text, in UTF-16 units. */
export interface TextBlock {
  from: number;
  to: number;
}

export interface PlacedBlock extends TextBlock {
  /** where the block is on the page, in points; null where it is not found */
  rect: Pt.Rect | null;
}

const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}\p{M}]+/gu;
/** A word that is on the page more often says nothing about where a block is. */
const MAX_PLACES = 40;
/** Words may be missing on the page or in the text, or be there twice. */
const SLACK = 4;
/** Share of a block's words that are on the page at its place. */
const LEAST = 0.34;
/** How much a place right after the block before counts, in words. */
const NEARNESS = 0.4;

interface PageToken {
  text: string;
  /** number of the word on the page */
  word: number;
}

/** Words as they are compared: compatibility forms, lower case; scripts without spaces by character. */
export const tokensOf = (text: string): string[] =>
  text.normalize("NFKC").toLowerCase().match(TOKEN) ?? [];

/**
 * Place each block on the page.
 * @param words of the page in reading order
 */
export function placeBlocks(text: string, blocks: TextBlock[], words: Pt.Word[]): PlacedBlock[] {
  const page: PageToken[] = words.flatMap((word, number) =>
    tokensOf(word[4]).map((token) => ({ text: token, word: number })),
  );
  const places = new Map<string, number[]>();
  page.forEach(({ text: token }, i) => {
    const known = places.get(token);
    if (known) known.push(i);
    else places.set(token, [i]);
  });
  let expected = 0;
  return blocks.map(({ from, to }) => {
    const tokens = tokensOf(text.slice(from, to));
    const range = findTokens(tokens, places, expected);
    if (!range) return { from, to, rect: null };
    expected = range.last + 1;
    const numbers = new Set(range.matched.map((i) => page[i].word));
    return { from, to, rect: rectOf([...numbers].map((number) => words[number])) };
  });
}

/** The page's tokens that repeat a block's, or null where too few do. */
function findTokens(tokens: string[], places: ReadonlyMap<string, number[]>, expected: number) {
  const votes = new Map<number, number>();
  tokens.forEach((token, i) => {
    const found = places.get(token) ?? [];
    if (found.length > MAX_PLACES) return;
    for (const place of found) {
      const start = place - i;
      votes.set(start, (votes.get(start) ?? 0) + 1 / found.length);
    }
  });
  let best = { start: 0, score: 0 };
  for (const [start] of votes) {
    let score = Math.abs(start - expected) <= SLACK ? NEARNESS : 0;
    for (let by = -SLACK; by <= SLACK; by += 1)
      score += (votes.get(start + by) ?? 0) / (1 + Math.abs(by) / SLACK);
    if (score > best.score) best = { start, score };
  }
  if (!best.score) return null;
  const matched = tokens.flatMap((token, i) => {
    const near = (places.get(token) ?? []).filter(
      (place) => Math.abs(place - i - best.start) <= SLACK,
    );
    return near.length ? [nearest(near, i + best.start)] : [];
  });
  if (matched.length < Math.max(1, LEAST * tokens.length)) return null;
  return { matched, last: Math.max(...matched) };
}

const nearest = (places: number[], to: number) =>
  places.reduce((left, right) => (Math.abs(right - to) < Math.abs(left - to) ? right : left));

function rectOf(words: Pt.Word[]): Pt.Rect {
  return [
    Math.min(...words.map(([x0]) => x0)),
    Math.min(...words.map(([, y0]) => y0)),
    Math.max(...words.map(([, , x1]) => x1)),
    Math.max(...words.map(([, , , y1]) => y1)),
  ];
}

/** The last block that begins at or before a position; null before the first. */
export function blockAt<Block extends TextBlock>(blocks: Block[], position: number): Block | null {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (blocks[middle].from <= position) low = middle + 1;
    else high = middle;
  }
  return blocks[low - 1] ?? null;
}

/** The placed block nearest to a height of the page, the earlier one of equals. */
export function blockNear(blocks: PlacedBlock[], y: number): PlacedBlock | null {
  let best: { block: PlacedBlock | null; distance: number } = { block: null, distance: Infinity };
  for (const block of blocks) {
    if (!block.rect) continue;
    const distance = Math.max(block.rect[1] - y, y - block.rect[3], 0);
    if (distance < best.distance) best = { block, distance };
  }
  return best.block;
}
