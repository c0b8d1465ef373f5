/** What a reviewer decides on, and when it has been seen long enough for that. */

import { effect, type ReadonlySignal } from "@preact/signals";
import { t } from "../shared/messages";
import { samePlace } from "../shared/places";
import type { LookClock } from "../shared/readiness";
import { ScreenLooks } from "../shared/screen_looks";

/** The names of what is on screen: of the task its comparison, with the page that opens with it. */
const TASK = "task";
const PART = "part";
const PAGE = "page";

/** What the looks follow from. */
interface LookSources {
  task: ReadonlySignal<number | null>;
  /** the part under decision */
  part: ReadonlySignal<string | null>;
  page: ReadonlySignal<Pt.Place | null>;
  /** the page that is on the sheet */
  shown: ReadonlySignal<Pt.Place | null>;
}

export class ReviewReadiness extends ScreenLooks {
  private task: number | null = null;
  private part: string | null = null;

  constructor(
    sources: LookSources,
    dialogs: () => Element,
    onDropped: (hint: string) => void,
    clock?: LookClock,
  ) {
    super(dialogs, onDropped, clock);
    effect(() => this.follow(sources));
  }

  private follow({ task, part, page, shown }: LookSources) {
    if (task.value !== this.task) this.forget();
    else if (part.value !== this.part) this.end(PART);
    this.task = task.value;
    this.part = part.value;
    if (task.value === null) return;
    if (page.value && !samePlace(shown.value, page.value)) {
      this.end(PART);
      this.end(PAGE);
      return;
    }
    for (const look of [TASK, PART, PAGE]) this.begin(look);
  }

  /**
   * Ask whether the last press may decide on a part. A key decides on the part that is marked, a
   * click on what it hits.
   * @param part null for the whole task
   */
  mayDecide(part: string | null) {
    return this.judge({
      id: JSON.stringify([part]),
      looks: this.isByKey && part !== null ? [TASK, PART] : [TASK],
      hint: t("Too fast: look at the task first."),
    });
  }

  /** The same of a box on the open page. */
  mayTakeBox() {
    const hint = t("Too fast: look at the box first.");
    return this.mayDrag({ id: PAGE, looks: [TASK, PAGE], hint });
  }

  /** Whether a key would decide now, for an attribute. */
  get isReady() {
    return this.ready([TASK, PART]);
  }
}
