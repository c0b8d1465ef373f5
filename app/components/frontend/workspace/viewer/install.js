/** Puts on the screen what helps to read: text, finding, recent pages, a page beside. */

import { installCopying } from "./copy_to_answer.js";
import { FindBar } from "./find_bar.js";
import { PageBeside } from "./page_beside.js";
import { RecentPages } from "./recent_pages.js";
import { SpokenText } from "./spoken_text.js";

/** @param {import("../workspace.js").Workspace} screen with its boxes */
export function installReading(screen) {
  installCopying(screen);
  new SpokenText(screen);
  new FindBar(screen);
  new PageBeside(screen);
  new RecentPages(screen);
}
