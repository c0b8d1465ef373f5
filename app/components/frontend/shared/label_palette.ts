/**
 * How labels look. Seven colours from the hues of Okabe and Ito, moved until each has a contrast
 * of 3:1 to white paper and any two are 25 CIELAB units or more apart, in normal sight and as
 * Machado et al. (2009) simulate the three kinds of colour blindness. From the eighth label on the
 * colours come again, with other dashes.
 */

const COLOURS = [
  { line: "#115588", ink: "#ffffff" },
  { line: "#dd7700", ink: "#14100a" },
  { line: "#11aa66", ink: "#08130d" },
  { line: "#aa0000", ink: "#ffffff" },
  { line: "#9988dd", ink: "#0e0c16" },
  { line: "#bb7799", ink: "#140d11" },
  { line: "#443333", ink: "#ffffff" },
];
const DASHES = ["none", "9 4", "2 3", "12 3 2 3", "5 3", "16 4", "8 3 2 3 2 3", "1 4", "3 6"];
const UNKNOWN = { line: "#666666", ink: "#ffffff", dash: "4 4" };

/**
 * The look of each label, by its place in the protocol's list.
 * @returns line and ink are
 * colours (ink is for text on the line's colour), dash an SVG dash array in screen pixels
 */
export function looks(labels: Array<{ name: string }>): (label: string | null) => Pt.Look {
  const known: Map<string | null, Pt.Look> = new Map(
    labels.map(({ name }, i) => [
      name,
      { ...COLOURS[i % COLOURS.length], dash: DASHES[(i + Math.floor(i / 63)) % DASHES.length] },
    ]),
  );
  return (label) => known.get(label) ?? UNKNOWN;
}
