/** Options as they are chosen: by keys, and several at a time. */

/**
 * The digits that choose options while their field has the focus: those of fields whose options
 * have no keys of their own, which work everywhere.
 * @returns one for each of the first ten; empty where there are none
 */
export function digitsOf(options: { key: string | null }[]): string[] {
  if (options.some(({ key }) => key)) return [];
  return options.slice(0, 10).map((_, i) => String((i + 1) % 10));
}

/**
 * A key for each option: its first letter that is free, else a digit.
 * @returns option → key
 */
export function optionKeys(options: string[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    options.map((option, i) => {
      const letters = [...option.toLowerCase()].filter((letter) => /[a-z]/.test(letter));
      const key = letters.find((letter) => !taken.has(letter)) ?? String((i + 1) % 10);
      taken.add(key);
      return [option, key];
    }),
  );
}

/**
 * A list of options after one was switched on or off; an exclusive one is never combined.
 * @returns null where none is left
 */
export function toggled(
  spec: Pt.FieldSpec,
  value: readonly string[],
  option: Pt.Option,
): string[] | null {
  let chosen = value.filter((item) => item !== option.value);
  if (chosen.length === value.length) {
    const isExclusive = (item: string) =>
      spec.options.find((other) => other.value === item)?.exclusive;
    chosen = option.exclusive ? [] : chosen.filter((item) => !isExclusive(item));
    chosen.push(option.value);
  }
  const order = spec.options.map((other) => other.value);
  chosen.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return chosen.length ? chosen : null;
}
