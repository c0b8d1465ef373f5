/** The pages that were open last in this task, one key away. */

import { openDialog } from "../../shared/dialogs";
import { h } from "../../shared/dom";
import { t } from "../../shared/messages";
import { placeWords, samePlace } from "../../shared/places";
import type { Workspace } from "../workspace";

const KEPT = 10;

/** The places with one more, the last one first and each once. */
export const withRecent = (places: Pt.Place[], { document, page }: Pt.Place) =>
  [{ document, page }, ...places.filter((known) => !samePlace(known, { document, page }))].slice(
    0,
    KEPT,
  );

export class RecentPages {
  screen: Workspace;
  places: Pt.Place[];

  constructor(screen: Workspace) {
    this.screen = screen;
    this.places = [];
    screen.commands.register("recent", () => this.open());
    screen.store.watch(["attempt"], () => {
      this.places = [];
    });
    screen.store.watch(["page"], ({ page }) => {
      if (page) this.places = withRecent(this.places, page);
    });
  }

  open() {
    const { screen } = this;
    const { page, documents } = screen.store.data;
    const others = this.places.filter((place) => !samePlace(place, page));
    if (!others.length) {
      screen.viewer.stage.hint(t("No other page was open in this task yet."));
      return true;
    }
    const cards = others.map((place, n) => {
      const info = documents[place.document];
      return h(
        "button",
        { class: "recent-page", type: "button", testid: "recent-page", on: { click: () => go(n) } },
        h("img", {
          alt: "",
          src: info ? screen.attempt.api.pageUrl(info.sha256, place.page, 75) : "",
        }),
        h(
          "span",
          { class: "medium wrap" },
          h("kbd", { text: String(n + 1) }),
          ` ${placeWords(place)}`,
        ),
      );
    });
    const dialog = openDialog(screen.dialogs, {
      title: t("Recent pages"),
      testid: "recent-dialog",
      wide: true,
      body: [h("div", { class: "recent-pages" }, ...cards)],
      focus: cards[0],
    });
    const go = (n: number) => {
      dialog.close();
      if (!screen.viewer.mayOpen(others[n])) return;
      screen.viewer.goTo(others[n], "recent");
      screen.viewer.focusPage();
    };
    dialog.element.addEventListener("keydown", (event) => {
      const n = Number.parseInt(event.key, 10) - 1;
      if (!event.ctrlKey && !event.metaKey && !event.altKey && others[n]) go(n);
    });
    return true;
  }
}
