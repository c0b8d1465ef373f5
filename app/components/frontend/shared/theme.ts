/**
 * Colours from Streamlit's theme. Background, text and accent come as custom properties on the
 * element around us; the accent is moved towards the text colour until it can be read (WCAG AA).
 */

const AA = 4.5;

function luminance([r, g, b]: number[]) {
  const linear = [r, g, b].map((value) => {
    const c = value / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

/**
 * WCAG contrast ratio of two colours.
 * @param a red, green, blue, 0–255
 * @returns 1–21
 */
function contrast(a: number[], b: number[]): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * The colour nearest to `colour`, on the way to `towards`, with enough contrast to all `grounds`.
 */
function readable(colour: number[], towards: number[], grounds: number[][]): number[] {
  for (let part = 0; part <= 1; part += 0.05) {
    const mixed = colour.map((value, i) => Math.round(value + (towards[i] - value) * part));
    if (grounds.every((ground) => contrast(mixed, ground) >= AA)) return mixed;
  }
  return towards;
}

/** Set data-theme and the computed colours on the workspace's root element. */
export function applyTheme(root: HTMLElement) {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const resolve = (name: string, fallback: number[]) => {
    if (!context) return fallback;
    root.style.setProperty("color", `var(--pt-${name})`);
    const value = getComputedStyle(root).color;
    root.style.removeProperty("color");
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = value;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, alpha] = context.getImageData(0, 0, 1, 1).data;
    return alpha ? [r, g, b] : fallback;
  };
  const ground = resolve("bg", [255, 255, 255]);
  const panel = resolve("panel", [244, 246, 248]);
  const dark = luminance(ground) < 0.25;
  const accent = resolve("primary", [31, 92, 184]);
  const text = resolve("text", dark ? [250, 250, 250] : [38, 39, 48]);
  const legible = readable(accent, text, [ground, panel]);
  const onAccent = contrast(legible, [255, 255, 255]) >= AA ? [255, 255, 255] : [16, 18, 24];
  root.dataset.theme = dark ? "dark" : "light";
  root.style.setProperty("--pt-accent", `rgb(${legible.join(" ")})`);
  root.style.setProperty("--pt-on-accent", `rgb(${onAccent.join(" ")})`);
}
