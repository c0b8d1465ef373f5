import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Dialog, DialogButton, openDialog } from "../../shared/components/Dialog";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { keyName } from "../../shared/keys";
import { t } from "../../shared/messages";
import "./Tour.css";

const GAP = 12;

interface TourStep {
  title: string;
  text: string;
  /** test ids or classes of what it is about; the first that is visible is framed */
  about: string[];
}

/** Five steps that depend on what the protocol asks for. */
export function tourSteps({ protocol }: { protocol: Pt.Protocol }): TourStep[] {
  const { search, boxes, evidence, answer, question, fields } = protocol;
  const turns = { previous: keyName("previousPage"), next: keyName("nextPage") };
  const start: TourStep =
    question.kind === "editable"
      ? {
          title: t("What to write about"),
          text: t("The brief is here, with buttons that open the documents it names."),
          about: [".question"],
        }
      : {
          title: t("The question"),
          text: t(
            "The question is here. The guidelines, at the bottom left or with the key {key}, explain what your campaign asks for.",
            { key: keyName("guidelines") },
          ),
          about: [".question"],
        };
  const pages: TourStep = search.enabled
    ? {
        title: t("Find pages"),
        text: t(
          "Type two or three words that the page itself would contain, and press Enter. Every word must be on the page. The key {key} brings you here.",
          { key: keyName("focusSearch") },
        ),
        about: [".search-row"],
      }
    : {
        title: t("The pages of the task"),
        text: t(
          "The task comes with its pages. Click one to open it, or turn with {previous} and {next}.",
          turns,
        ),
        about: [".results:not([hidden])", ".viewer"],
      };
  const viewer: TourStep = boxes.seed
    ? {
        title: t("Check the elements"),
        text: t(
          "A model’s elements are shown on the page. Accept what is right with the key {key}, and correct or delete what is wrong.",
          { key: keyName("acceptElement") },
        ),
        about: [".viewer"],
      }
    : boxes.enabled
      ? {
          title: t("Read and draw boxes"),
          text: t(
            "Turn pages with {previous} and {next}. The key {key} turns drawing on: drag a box around what is relevant.",
            { ...turns, key: keyName("toolBox") },
          ),
          about: [".viewer"],
        }
      : evidence.enabled
        ? {
            title: t("Read and cite pages"),
            text: t(
              "Turn pages with {previous} and {next}. The key {key} cites the open page, or removes the citation. Cite the pages that your answer rests on.",
              { ...turns, key: keyName("cite") },
            ),
            about: [".viewer"],
          }
        : {
            title: t("Read the pages"),
            text: t("Turn pages with {previous} and {next}. The key {key} fits the width.", {
              ...turns,
              key: keyName("fitWidth"),
            }),
            about: [".viewer"],
          };
  const work: TourStep =
    fields.length || answer.kind === "off"
      ? {
          title: t("Fill in what is asked"),
          text: t(
            "What is asked is here. The key {key} goes to the next field without a value; then the digits beside the options choose.",
            { key: keyName("nextField") },
          ),
          about: [".right-scroll", "[data-testid=toggle-right]"],
        }
      : {
          title: t("Write the answer"),
          text: t("Write your answer here, one answer per line. The key {key} brings you here.", {
            key: keyName("focusAnswer"),
          }),
          about: [".right-scroll", "[data-testid=toggle-right]"],
        };
  const end: TourStep = {
    title: t("Submit"),
    text: t(
      "Everything is saved while you work. Submit with {submit}; what is missing is listed first. If you cannot do the task, skip or flag it. The key {help} lists all keys.",
      { submit: keyName("submit"), help: keyName("help") },
    ),
    about: [".right-foot", "[data-testid=toggle-right]"],
  };
  return [start, pages, viewer, work, end];
}

/**
 * Show the tour; resolves when it is over or skipped.
 * @param screen holds the parts that the steps are about
 */
export function openTour(
  host: Element,
  data: Pick<Pt.WorkspaceData, "protocol" | "state">,
  screen: RefObject<HTMLElement | null>,
) {
  return openDialog(host, (close) => (
    <Tour
      steps={tourSteps(data)}
      screen={screen}
      isPaused={data.state.paused}
      onEnd={() => close()}
    />
  ));
}

interface TourProps {
  steps: TourStep[];
  screen: RefObject<HTMLElement | null>;
  isPaused: boolean;
  onEnd: () => void;
}

function Tour({ steps, screen, isPaused, onEnd }: TourProps) {
  const [index, setIndex] = useState(0);
  const [, setSize] = useState("");
  const next = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const follow = () => setSize(`${innerWidth} ${innerHeight}`);
    addEventListener("resize", follow);
    return () => removeEventListener("resize", follow);
  }, []);
  const step = steps[index];
  if (!step) return null;
  const isLast = index === steps.length - 1;
  const framed = screen.current && frameOf(screen.current, step.about);
  const go = (to: number) => {
    if (to >= steps.length) onEnd();
    else setIndex(to);
  };
  return (
    <>
      {framed ? (
        <div
          class="tour-frame"
          data-testid="tour-frame"
          style={{
            top: `${framed.top}px`,
            left: `${framed.left}px`,
            width: `${framed.width}px`,
            height: `${framed.height}px`,
          }}
        />
      ) : null}
      <Dialog
        title={t("A short tour")}
        testid="tour"
        at={placeBeside(framed)}
        focus={next}
        onSubmit={() => go(index + 1)}
        onClose={onEnd}
        actions={
          <>
            {isLast ? null : (
              <DialogButton testid="tour-skip" onClick={onEnd}>
                {t("Skip the tour")}
              </DialogButton>
            )}
            {index ? (
              <DialogButton testid="tour-back" onClick={() => go(index - 1)}>
                {t("Back")}
              </DialogButton>
            ) : null}
            <DialogButton main ref={next} testid="tour-next">
              {isLast ? t("Start working") : t("Next")}
            </DialogButton>
          </>
        }
      >
        <LiveRegion class="tour-step stack">
          <p class="caption" data-testid="tour-position">
            {t("Step {number} of {total}", { number: index + 1, total: steps.length })}
          </p>
          <h3 data-testid="tour-title">{step.title}</h3>
          <p>{step.text}</p>
        </LiveRegion>
        <p class="caption">
          {isPaused
            ? t("The clock is stopped, and the task is hidden meanwhile.")
            : t("The task is hidden meanwhile.")}
        </p>
      </Dialog>
    </>
  );
}

/** The first of these parts that is visible. */
function frameOf(screen: HTMLElement, selectors: string[]): DOMRect | null {
  for (const selector of selectors) {
    const part = screen.querySelector(selector);
    if (part?.checkVisibility()) return part.getBoundingClientRect();
  }
  return null;
}

const WIDTH = 352;
const HEIGHT = 320; // at most, in dialogs.css

/** Below the frame, above it, or to its left or right: the first where there is room. */
function placeBeside(frame: DOMRect | null) {
  const limit = (value: number, most: number) => Math.round(Math.max(GAP, Math.min(value, most)));
  const most = { top: innerHeight - HEIGHT - GAP, left: innerWidth - WIDTH - GAP };
  if (!frame) return { top: limit(most.top / 2, most.top), left: limit(most.left / 2, most.left) };
  const left = limit(frame.left, most.left);
  const top = limit(frame.top, most.top);
  if (frame.bottom + GAP <= most.top) return { top: Math.round(frame.bottom + GAP), left };
  if (frame.left - WIDTH - GAP >= GAP) return { top, left: Math.round(frame.left - WIDTH - GAP) };
  if (frame.right + GAP <= most.left) return { top, left: Math.round(frame.right + GAP) };
  const above = limit(frame.top - HEIGHT - GAP, most.top);
  return { top: above, left };
}
