/** Reports to the readiness what is on screen: pages, fields, boxes, and what covers them. */

import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { samePlace } from "../../shared/places";
import type { Readiness } from "../../shared/readiness";
import { ScreenLooks } from "../../shared/screen_looks";
import { currentTargets, fieldKey } from "../fields/field_state";
import { keyedOptions } from "../fields/key_owners";
import { isPaused } from "../panel_visibility";
import { formOf } from "../state/form_state";
import { boxLook, fieldLook, OPEN_PAGE, pageLook } from "./judged_units";

/** The readiness of a screen, with the looks that follow from its state. */
export class ScreenReadiness extends ScreenLooks {
  private readonly painted = signal<Pt.Place | null>(null);
  private attempt = "";
  private shown = new Set<string>();
  /** by key the look of the field in which it chooses; by "" that of the field with the focus */
  private owners = new Map<string, string>();
  private readonly observer = new IntersectionObserver((entries) => this.noteView(entries), {
    threshold: [0, 0.5, 1],
  });
  private readonly watched = new Map<Element, string>();
  private readonly inView = new Set<Element>();

  constructor(
    private readonly store: Pt.Store,
    dialogs: Element,
    onDropped: (hint: string) => void,
  ) {
    super(() => dialogs, onDropped);
    effect(() => {
      if (store.state.value) this.follow(store.tracked);
    });
    effect(() => {
      if (!store.state.value) return;
      isPaused(store.tracked);
      untracked(() => this.noteCover());
    });
  }

  /** A page was painted, or will never be, and says why. */
  pagePainted({ document, page }: Pt.Place) {
    this.painted.value = { document, page };
  }

  /** Another page was opened, or none is open. */
  pageLeft() {
    this.painted.value = null;
  }

  /** An element of the screen shows something while half of it, or of the window, is in view. */
  watch(element: Element, look: string): () => void {
    this.watched.set(element, look);
    this.observer.observe(element);
    return () => {
      this.observer.unobserve(element);
      this.watched.delete(element);
      this.leaveView(element, look);
    };
  }

  private noteView(entries: IntersectionObserverEntry[]) {
    for (const entry of entries) {
      const look = this.watched.get(entry.target);
      if (look === undefined) continue;
      const room = entry.rootBounds?.height ?? window.innerHeight;
      if (entry.intersectionRatio >= 0.5 || entry.intersectionRect.height >= room / 2) {
        this.inView.add(entry.target);
        this.begin(look);
      } else this.leaveView(entry.target, look);
    }
  }

  private leaveView(element: Element, look: string) {
    if (!this.inView.delete(element)) return;
    const isElsewhere = [...this.inView].some((other) => this.watched.get(other) === look);
    if (!isElsewhere) this.end(look);
  }

  /** Another task is on screen. */
  private clear() {
    this.forget();
    this.shown = new Set();
    this.owners = new Map();
    for (const element of this.inView) this.begin(this.watched.get(element) ?? "");
  }

  protected override isClosed() {
    const { data } = this.store;
    return !data.state || isPaused(data);
  }

  /** The page, the selected box, and the fields that are asked of them and of the task. */
  private follow(data: Pt.WorkspaceData) {
    const form = formOf(data);
    const { page, selected, attempt, keyedField } = data;
    if (attempt !== this.attempt) this.clear();
    this.attempt = attempt;
    const painted = page && samePlace(this.painted.value, page) ? page : null;
    const targets = currentTargets(data);
    const shown = new Set<string>();
    if (painted) shown.add(pageLook(painted));
    if (painted || !page) shown.add(OPEN_PAGE);
    if (painted && selected) shown.add(boxLook(selected));
    for (const spec of form.protocol.fields) {
      const target = targets[spec.scope];
      if (target && form.asked(spec, target)) shown.add(fieldLook(fieldKey(attempt, spec, target)));
    }
    for (const look of this.shown) if (!shown.has(look)) this.end(look);
    for (const look of shown) if (!this.shown.has(look)) this.begin(look);
    this.shown = shown;
    const owners = new Map(
      keyedOptions(data, form).map(({ key, spec, target }) => [
        key.toLowerCase(),
        fieldLook(fieldKey(attempt, spec, target)),
      ]),
    );
    if (keyedField !== null) owners.set("", fieldLook(keyedField));
    // A key that has just come to choose elsewhere was meant for where it chose before.
    if (this.isByKey)
      for (const [key, look] of owners) if (this.owners.get(key) !== look) this.restart(look);
    this.owners = owners;
  }
}

/** The attribute of a unit that says whether it may be judged. */
export function useReady(
  readiness: Readiness,
  looks: readonly string[],
): ReadonlySignal<"true" | "false"> {
  return useMemo(() => readiness.ready(looks), [readiness, looks.join()]);
}

/** Report while an element is in view; null where it shows nothing to be judged. */
export function useWatched(
  readiness: ScreenReadiness,
  element: RefObject<Element | null>,
  look: string | null,
) {
  useLayoutEffect(() => {
    if (element.current && look !== null) return readiness.watch(element.current, look);
    return undefined;
  }, [readiness, look]);
}
