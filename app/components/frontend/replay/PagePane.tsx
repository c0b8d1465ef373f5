import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Button } from "../shared/components/Button";
import { Hosted } from "../shared/components/Hosted";
import { t } from "../shared/messages";
import { localised } from "../shared/notation";
import type { AttemptView } from "./attempt_view";
import { pageWords } from "./formatting";
import { ReplayedPage } from "./replayed_page";
import "./PagePane.css";

export interface PagePaneProps {
  view: AttemptView;
  imageUrl: (sha: string, page: number, dpi: number) => string;
}

/** The page that one attempt has on screen, with the boxes that are on it then. */
export function PagePane({ view, imageUrl }: PagePaneProps) {
  const painted = useSignal<number | null>(null);
  const fit = useSignal<"page" | "width">("page");
  const image = useMemo(
    () =>
      new ReplayedPage(view.track, imageUrl, (page) => {
        painted.value = page;
      }),
    [view, imageUrl, painted],
  );
  useEffect(() => () => image.destroy(), [image]);
  useSignalEffect(() => image.setFit(fit.value));
  useSignalEffect(() => image.show(view.page.value?.page ?? null, view.seq.value, view.isHurried));
  const shown = view.page.value;
  const page = shown && view.track.pages[shown.page];
  return (
    <section
      class="replay-pane column"
      aria-label={t("Page of {name}", { name: view.track.data.name })}
      data-page={page?.number}
      data-document={page?.document}
      data-painted={painted.value ?? undefined}
    >
      <div class="pane-head line">
        <span
          class="pane-title"
          data-testid="replay-page"
          title={page ? pageWords(page) : undefined}
        >
          <span class="ellipsis">{page?.document}</span>
          <span>{page ? t(", page {page}", { page: page.number }) : ""}</span>
        </span>
        <span
          class="pane-why caption"
          data-testid="replay-why"
          title={shown?.label ? shown.note : undefined}
        >
          {localised(shown?.label ?? "")}
        </span>
        {page?.size ? (
          <Button
            class="button small quiet-button"
            onClick={() => {
              fit.value = fit.value === "width" ? "page" : "width";
            }}
          >
            {fit.value === "width" ? t("Whole page") : t("Page width")}
          </Button>
        ) : null}
      </div>
      <Hosted element={image.element} />
    </section>
  );
}
