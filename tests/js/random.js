/** Random numbers that are the same in every run. */

/** The generator of a seed (mulberry32). */
export function randomOf(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const between = (low, high) => low + next() * (high - low);
  const integer = (below) => Math.floor(next() * below);
  return {
    between,
    integer,
    choices: (list, count) => Array.from({ length: count }, () => list[integer(list.length)]),
    sample: (list, count) =>
      list
        .map((item) => [next(), item])
        .sort((a, b) => a[0] - b[0])
        .slice(0, count)
        .map(([, item]) => item),
  };
}
