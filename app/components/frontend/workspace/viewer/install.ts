/** Puts on the screen what helps to read: text, finding, recent pages, a page beside. */

import type { Workspace } from "../workspace";
import { installCopying } from "./copy_to_answer";
import { DocumentSearch } from "./document_search";
import { PageBeside } from "./page_beside";
import { RecentPages } from "./recent_pages";
import { SpokenText } from "./spoken_text";

/** @param screen with its boxes */
export function installReading(screen: Workspace) {
  installCopying(screen);
  new SpokenText(screen);
  new DocumentSearch(screen);
  new PageBeside(screen);
  new RecentPages(screen);
}
