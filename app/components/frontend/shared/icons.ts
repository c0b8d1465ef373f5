/** Line icons on a 20 × 20 grid, drawn for this screen. */

import { svg } from "./dom";

export const ICON_PATHS: Record<string, string> = {
  search: "M8.5 3.5a5 5 0 1 0 0 10a5 5 0 1 0 0-10M12.2 12.2L17 17",
  first: "M5 4.5v11M15 4.5L9 10l6 5.5",
  previous: "M12.5 4.5L7 10l5.5 5.5",
  next: "M7.5 4.5L13 10l-5.5 5.5",
  last: "M15 4.5v11M5 4.5L11 10l-6 5.5",
  minus: "M4.5 10h11",
  plus: "M4.5 10h11M10 4.5v11",
  fitWidth: "M3 4v12M17 4v12M5.5 10h9M8 7.5L5.5 10L8 12.5M12 7.5L14.5 10L12 12.5",
  fitPage: "M3.5 7V3.5H7M13 3.5h3.5V7M16.5 13v3.5H13M7 16.5H3.5V13M7.5 6.5h5v7h-5z",
  expand: "M3.5 7.5v-4h4M12.5 3.5h4v4M16.5 12.5v4h-4M7.5 16.5h-4v-4",
  rotate: "M15.5 8.5A6 6 0 1 0 16 11M16 4.5v4h-4",
  cite: "M5.5 3.5h9v13L10 13l-4.5 3.5z",
  cited: "M5.5 3.5h9v13L10 13l-4.5 3.5zM7.8 8l1.6 1.7L12.3 6.6",
  more: "M4.5 10h.2M9.9 10h.2M15.3 10h.2",
  close: "M5 5l10 10M15 5L5 15",
  flag: "M5 17V3.5M5 4h9.5l-2 3.2l2 3.3H5",
  pause: "M7 4.5v11M13 4.5v11",
  play: "M6.5 4.5v11l9-5.5z",
  book: "M10 5.2C8.4 4 6.2 3.8 3.5 4v11.5c2.7-.2 4.9 0 6.5 1.2c1.6-1.2 3.8-1.4 6.5-1.2V4C13.8 3.8 11.6 4 10 5.2zM10 5.2v11.3",
  help: "M10 3a7 7 0 1 0 0 14a7 7 0 1 0 0-14M7.8 8c.1-3 4.6-2.8 4.4 0c-.1 1.6-2.2 1.7-2.2 3.4M10 13.8v.2",
  history: "M4 10a6 6 0 1 0 1.8-4.3M4 4v3h3M10 6.8V10l2.4 1.6",
  panelLeft: "M3.5 4.5h13v11h-13zM8 4.5v11",
  panelRight: "M3.5 4.5h13v11h-13zM12 4.5v11",
  rail: "M3.5 3.5h4v5.5h-4zM3.5 11h4v5.5h-4zM10.5 3.5h6v13h-6z",
  check: "M4 10.5l4 4l8-9",
  warning: "M10 3.5L17.5 16.5h-15zM10 8.2v4M10 14.2v.2",
  cloud: "M6 15.5a3.2 3.2 0 0 1-.4-6.4a4.6 4.6 0 0 1 8.9.8a2.8 2.8 0 0 1-.3 5.6z",
  cloudOff: "M6 15.5a3.2 3.2 0 0 1-.4-6.4a4.6 4.6 0 0 1 8.9.8a2.8 2.8 0 0 1-.3 5.6zM3.5 3.5l13 13",
  up: "M4.5 12.5L10 7l5.5 5.5",
  down: "M4.5 7.5L10 13l5.5-5.5",
  skip: "M4 4.5v11l7-5.5zM12.5 4.5v11l4-5.5z",
  lock: "M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  page: "M5 3h7l3 3v11H5zM12 3v3h3",
  clock: "M10 3a7 7 0 1 0 0 14a7 7 0 1 0 0-14M10 6v4l2.8 1.8",
  home: "M3.5 9.5L10 4l6.5 5.5M5.5 8v8h9V8",
  hand: "M6.5 11V5.5a1.2 1.2 0 0 1 2.4 0V9.5M8.9 9V4a1.2 1.2 0 0 1 2.4 0v5.5M11.3 9.3V5a1.2 1.2 0 0 1 2.4 0v5M13.7 9.5V7.5a1.2 1.2 0 0 1 2.3 0V12c0 3-1.8 5-4.8 5c-2.4 0-3.5-1-4.6-2.9L4.2 11c-.7-1.3.9-2.4 1.8-1.2l.5.8",
  box: "M5 5h10v10H5zM3.5 3.5h3v3h-3zM13.5 3.5h3v3h-3zM3.5 13.5h3v3h-3zM13.5 13.5h3v3h-3z",
  beside: "M3.5 4h5.5v12H3.5zM11 4h5.5v12H11z",
  swap: "M6.5 4L3 7.5L6.5 11M3 7.5h11M13.5 9L17 12.5L13.5 16M17 12.5H6",
  text: "M4 6V4h9v2M8.5 4v12M6.5 16h4M16 3.5v13M14.5 3.5h3M14.5 16.5h3",
  undo: "M7.5 4L4 7.5L7.5 11M4 7.5h7.5a4.2 4.2 0 0 1 0 8.5H8",
  redo: "M12.5 4L16 7.5L12.5 11M16 7.5H8.5a4.2 4.2 0 0 0 0 8.5H12",
  duplicate: "M7 7h9.5v9.5H7zM4 13V3.5h9.5",
  bin: "M4 6h12M8 6V4h4v2M5.5 6l.8 10.5h7.4l.8-10.5M8.5 9v4.5M11.5 9v4.5",
  eye: "M2.5 10C5 6 7.5 4.8 10 4.8S15 6 17.5 10C15 14 12.5 15.2 10 15.2S5 14 2.5 10zM10 7.7a2.3 2.3 0 1 0 0 4.6a2.3 2.3 0 1 0 0-4.6",
  magnet: "M4.5 3.5v7a5.5 5.5 0 0 0 11 0v-7h-3.5v7a2 2 0 0 1-4 0v-7zM4.5 6.5h3.5M12 6.5h3.5",
  pencil: "M4 16l.8-3.2L13.5 4L16 6.5L7.2 15.2zM11.8 5.8l2.4 2.4",
  comment: "M3.5 4.5h13v9h-7.5L5.5 17v-3.5h-2z",
  circle: "M10 4a6 6 0 1 0 0 12a6 6 0 1 0 0-12",
};

/** An icon; decorative, so the button around it carries the label. */
export function icon(name: string): SVGElement {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: ICON_PATHS[name] }),
  );
}
