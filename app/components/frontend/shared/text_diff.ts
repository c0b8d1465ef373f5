/** What differs between two texts, word by word: the longest common subsequence of their tokens. */

const FINE = /\s+|[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;
const COARSE = /\S*\s*/gu;
const MAX_CELLS = 4_000_000;

export interface Part {
  kind: "same" | "removed" | "added";
  text: string;
}

/**
 * The parts of two texts, in order: joining the same and removed ones gives `before`, the same and
 * added ones `after`. Very long texts are compared by larger pieces, and in the end as a whole.
 */
export function diffWords(before: string, after: string): Part[] {
  if (before === after) return before ? [{ kind: "same", text: before }] : [];
  for (const pattern of [FINE, COARSE]) {
    const [a, b] = [before, after].map((text) => text.match(pattern)?.filter(Boolean) ?? []);
    const { head, tail } = common(a, b);
    const middle = [a, b].map((tokens) => tokens.slice(head, tokens.length - tail));
    if ((middle[0].length + 1) * (middle[1].length + 1) > MAX_CELLS) continue;
    return joined([
      ...a.slice(0, head).map((text) => ({ kind: "same" as const, text })),
      ...subsequence(middle[0], middle[1]),
      ...a.slice(a.length - tail).map((text) => ({ kind: "same" as const, text })),
    ]);
  }
  return joined([
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ]);
}

/** How many tokens both lists begin and end with. */
function common(a: string[], b: string[]) {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return { head, tail };
}

/** The longest common subsequence of two lists of tokens, as parts. */
function subsequence(a: string[], b: string[]) {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const parts: Part[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ kind: "same", text: a[i] });
      i += 1;
      j += 1;
    } else if (
      j >= b.length ||
      (i < a.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])
    ) {
      parts.push({ kind: "removed", text: a[i] });
      i += 1;
    } else {
      parts.push({ kind: "added", text: b[j] });
      j += 1;
    }
  }
  return parts;
}

/**
 * Runs of one kind as one part; white space alone between changes belongs to them, so
 * that "one two" → "three four" reads as one change.
 */
function joined(parts: Part[]) {
  const found: Part[] = [];
  let run = { removed: "", added: "" };
  const close = () => {
    for (const kind of ["removed", "added"] as const) {
      if (run[kind]) found.push({ kind, text: run[kind] });
    }
    run = { removed: "", added: "" };
  };
  parts.forEach(({ kind, text }, at) => {
    const open = run.removed || run.added;
    const between = open && kind === "same" && !text.trim() && changes(parts[at + 1]);
    if (kind !== "same") {
      run[kind] += text;
    } else if (between) {
      run.removed += text;
      run.added += text;
    } else {
      close();
      const last = found.at(-1);
      if (last?.kind === "same") last.text += text;
      else found.push({ kind, text });
    }
  });
  close();
  return found;
}

function changes(part: Part | undefined) {
  return part !== undefined && part.kind !== "same";
}
