import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Icon } from "../../shared/components/Icon";
import { MiddleCut } from "../../shared/components/MiddleCut";
import { PatientImage } from "../../shared/components/PatientImage";
import { t, tn } from "../../shared/messages";
import { THUMBNAIL_DPI } from "../../shared/page/page_images";
import { samePlace, shortNames } from "../../shared/places";
import { gradeField, gradeRank, pageMarks } from "../fields/page_marks";
import { isCompact } from "../panel_visibility";
import { cites } from "../state/attempt_state";
import { arePagesClosed, currentForm } from "../state/form_state";
import { revealItem, Sightings } from "./filmstrip_scrolling";
import type { ResultsProps } from "./Results";
import "./Filmstrip.css";

/** Longer grades are shown by their label. */
const SHORT_GRADE = 3;

type FilmPage = Pt.PageReference & { rank?: number | null };

export interface FilmstripProps extends Pick<ResultsProps, "store" | "imageUrl" | "onOpen"> {
  pages: FilmPage[];
  list: RefObject<HTMLOListElement | null>;
}

/**
 * The strip of the pages that a task gives: thumbnail, number, grade, boxes, what is missing. There
 * may be hundreds, so that a film gets plain values and is rendered only when one of them changes.
 */
export function Filmstrip({ store, pages, list, imageUrl, onOpen }: FilmstripProps) {
  const form = currentForm(store);
  const protocol = store.protocol.value;
  const openPage = store.page.value;
  const documents = store.documents.value;
  const mayShow = !arePagesClosed({ protocol, state: form.state });
  const field = gradeField(protocol);
  const isWorded = field?.options.some(({ value }) => value.length > SHORT_GRADE);
  const names = useMemo(() => shortNames(pages.map(({ document }) => document)), [pages]);
  const sightings = useMemo(() => new Sightings(list), []);
  const tabStop = useSignal(0);
  const openIndex = pages.findIndex((page) => samePlace(openPage, page));
  useLayoutEffect(() => {
    tabStop.value = 0;
    if (list.current) list.current.scrollLeft = 0;
  }, [pages]);
  useLayoutEffect(() => {
    if (list.current) revealItem(list.current, openIndex);
  }, [pages, openIndex, isCompact(store.tracked)]);
  useEffect(() => () => sightings.stop(), []);
  const setTabStop = useCallback((index: number) => {
    tabStop.value = index;
  }, []);
  return (
    <ol
      ref={list}
      class={isWorded ? "films worded" : "films"}
      data-testid="films"
      aria-label={t("Pages of this task")}
    >
      {pages.map(({ document, page, rank }, index) => {
        const info = documents[document];
        const [width, height] = info?.pages[page - 1] ?? [3, 4];
        const { grade, asks, missing, boxes } = pageMarks(form, { document, page });
        return (
          <li key={`${page} ${document}`}>
            <Film
              document={document}
              page={page}
              rank={rank ?? null}
              name={names.get(document) ?? ""}
              sha={info && mayShow ? info.sha256 : null}
              width={width}
              height={height}
              hasGrade={field !== null}
              grade={grade?.value ?? ""}
              gradeLabel={grade?.label ?? ""}
              gradeRank={grade ? gradeRank(protocol, grade) : "none"}
              boxes={boxes}
              isCited={cites(form.state, document, page)}
              asks={asks}
              missing={missing.join(", ")}
              isOpen={index === openIndex}
              isTabStop={index === tabStop.value}
              index={index}
              sightings={sightings}
              imageUrl={imageUrl}
              onOpen={onOpen}
              onFocus={setTabStop}
            />
          </li>
        );
      })}
    </ol>
  );
}

interface FilmProps extends Pick<FilmstripProps, "imageUrl" | "onOpen"> {
  document: string;
  page: number;
  rank: number | null;
  /** empty where all pages are of one document */
  name: string;
  /** null while pages must not be seen yet */
  sha: string | null;
  width: number;
  height: number;
  hasGrade: boolean;
  grade: string;
  gradeLabel: string;
  gradeRank: string;
  boxes: number;
  isCited: boolean;
  asks: boolean;
  missing: string;
  isOpen: boolean;
  isTabStop: boolean;
  index: number;
  sightings: Sightings;
  onFocus: (index: number) => void;
}

// A component that reads a signal, as this one does, is not rendered while its props are the same.
function Film(props: FilmProps) {
  const { document, page, rank, name, sha, width, height, grade, boxes, missing } = props;
  const film = useRef<HTMLButtonElement>(null);
  const isSeen = useSignal(false);
  useEffect(() => {
    if (!film.current) return;
    return props.sightings.watch(film.current, () => {
      isSeen.value = true;
    });
  }, []);
  // The address has a token, and the next token is no reason to load the image again.
  const address = useMemo(
    () => (sha && isSeen.value ? props.imageUrl(sha, page, THUMBNAIL_DPI) : null),
    [sha, isSeen.value],
  );
  const words = filmWords(props);
  return (
    <button
      ref={film}
      type="button"
      class="film tile"
      data-testid="film"
      data-document={document}
      data-page={page}
      data-grade={grade}
      tabIndex={props.isTabStop ? 0 : -1}
      title={words.join("\n")}
      aria-current={props.isOpen ? "true" : undefined}
      onClick={(event) => props.onOpen({ document, page, via: "given" }, event.timeStamp)}
      onFocus={() => props.onFocus(props.index)}
    >
      <span class="film-image" aria-hidden="true">
        <span
          class={width > height ? "paper wide" : "paper"}
          style={`aspect-ratio: ${width} / ${height}`}
        >
          {address ? <PatientImage priority="low" src={address} /> : null}
        </span>
      </span>
      <span class="unseen">{[...words, ...(props.isOpen ? [t("open")] : [])].join("; ")}</span>
      <span class="film-text" aria-hidden="true">
        {name ? <MiddleCut class="film-name caption" text={name} /> : null}
        <span class="film-line spread line">
          <span class="film-page number ellipsis">
            {rank ? t("#{rank} · p. {page}", { rank, page }) : t("p. {page}", { page })}
          </span>
          <span class="film-marks inline">
            {props.isCited ? <Mark name="film-cited" icon="cited" /> : null}
            {(grade || boxes > 0) && missing ? <Mark name="film-todo" icon="warning" /> : null}
            {props.asks && !missing ? <Mark name="film-done" icon="check" /> : null}
          </span>
        </span>
        <span class="film-line spread line">
          {props.hasGrade ? (
            <span class="film-grade" data-rank={props.gradeRank}>
              {grade.length <= SHORT_GRADE ? grade : props.gradeLabel}
            </span>
          ) : null}
          <span class="film-marks inline">
            {boxes ? (
              <span>
                <Icon name="box" />
                <span>{boxes}</span>
              </span>
            ) : null}
          </span>
        </span>
      </span>
    </button>
  );
}

function Mark({ name, icon }: { name: string; icon: string }) {
  return (
    <span class={name}>
      <Icon name={icon} />
    </span>
  );
}

function filmWords({ document, page, rank, gradeLabel, boxes, isCited, missing }: FilmProps) {
  return [
    rank
      ? t("Result {rank}: {document}, page {page}", { rank, document, page })
      : t("{document}, page {page}", { document, page }),
    gradeLabel,
    boxes ? tn("{number} box", "{number} boxes", boxes) : "",
    isCited ? t("cited") : "",
    missing ? t("missing: {labels}", { labels: missing }) : "",
  ].filter(Boolean);
}
