import { Icon } from "../shared/components/Icon";
import { PatchText, patchStateWords } from "../shared/components/PatchText";
import { t, tn } from "../shared/messages";
import type { AttemptView } from "./attempt_view";
import { pageWords } from "./formatting";
import { ReplayedTables } from "./ReplayedTables";
import { ReplayedText } from "./ReplayedText";
import type { ReplayedPatch, Track } from "./script_state";
import "./CurrentState.css";

const SHOWN_FIELDS = 60;

/** What one attempt has so far: query and results, citations, bookmarks, boxes, fields, texts. */
export function CurrentState({ view }: { view: AttemptView }) {
  const { track } = view;
  const { data } = track;
  const seq = view.listedSeq.value;
  const open = view.page.value?.page ?? null;
  const citations = track.citations(seq);
  const bookmarks = track.bookmarks(seq);
  const list = { track, open, onChoose: (page: number) => view.choose(page) };
  return (
    <section
      class="now inset-focus column"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard
      tabIndex={0}
      aria-label={t("So far: {name}", { name: data.name })}
    >
      {data.searches.length ? (
        <LastSearch search={track.search(seq)} citations={citations} {...list} />
      ) : null}
      {data.citations.length ? (
        <section>
          <h3>
            {citations.length
              ? t("Citations ({number})", { number: citations.length })
              : t("Citations")}
          </h3>
          {citations.length ? null : <p class="quiet">{t("None yet")}</p>}
          <ul data-testid="replay-citations">
            {citations.map((page) => (
              <PageItem key={page} page={page} {...list} />
            ))}
          </ul>
        </section>
      ) : null}
      {data.bookmarks.length ? (
        <section>
          <h3>
            {bookmarks.length
              ? t("Bookmarks ({number})", { number: bookmarks.length })
              : t("Bookmarks")}
          </h3>
          {bookmarks.length ? null : <p class="quiet">{t("None yet")}</p>}
          <ul data-testid="replay-bookmarks">
            {bookmarks.map((page) => (
              <PageItem key={page} page={page} {...list} />
            ))}
          </ul>
        </section>
      ) : null}
      {data.boxes.length ? (
        <section>
          <h3>{t("Boxes")}</h3>
          <p class="quiet" data-testid="replay-boxes">
            {boxesText(track, seq, open)}
          </p>
        </section>
      ) : null}
      {data.fields.length ? <FieldValues track={track} seq={seq} /> : null}
      {data.textNames.map(([name, title]) => {
        if (name === "transcript") return <ReplayedText key={name} {...{ track, seq, title }} />;
        if (name === "tables") return <ReplayedTables key={name} {...{ track, seq, title }} />;
        const text = track.text(name, seq);
        return (
          <section key={name}>
            <h3>{title}</h3>
            <p class={text ? "pre" : "pre quiet"} data-testid={`replay-${name}`}>
              {text || t("Nothing yet")}
            </p>
          </section>
        );
      })}
      {data.patches.length ? <Patches patches={track.patches(seq)} /> : null}
    </section>
  );
}

/** A model's patches, and what has become of each. */
function Patches({ patches }: { patches: ReplayedPatch[] }) {
  return (
    <section>
      <h3>{t("Proposed changes")}</h3>
      {patches.length ? null : <p class="quiet">{t("None yet")}</p>}
      <ul class="replay-patches" data-testid="replay-patches">
        {patches.map((patch) => (
          <li key={patch.id} data-state={patch.state}>
            <span class="medium strong">{patchStateWords(patch.state)}</span>
            <PatchText patch={patch} />
            {patch.reason ? (
              <p class="quiet medium wrap" dir="auto">
                {patch.reason}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function boxesText(track: Track, seq: number, open: number | null) {
  const count = track.countBoxes(seq);
  if (!count) return t("None yet");
  const here = open === null ? 0 : track.boxes(open, seq).length;
  return tn("{number} box, {here} on this page", "{number} boxes, {here} on this page", count, {
    here,
  });
}

interface PageListProps {
  track: Track;
  /** the page in the viewer */
  open: number | null;
  onChoose: (page: number) => void;
}

interface LastSearchProps extends PageListProps {
  search: Pt.ReplayedSearch | null;
  citations: number[];
}

function LastSearch({ search, citations, ...list }: LastSearchProps) {
  return (
    <section>
      <h3>{t("Search")}</h3>
      <p class={search ? "wrap strong" : "wrap strong quiet"} data-testid="replay-query">
        {search ? search.query || t("(empty query)") : t("No search yet")}
      </p>
      <p class="caption">{search?.outcome}</p>
      <ol data-testid="replay-results">
        {search?.results.map((page, index) => (
          <PageItem
            key={page}
            page={page}
            rank={index + 1}
            isCited={citations.includes(page)}
            {...list}
          />
        ))}
      </ol>
    </section>
  );
}

interface PageItemProps extends PageListProps {
  page: number;
  rank?: number;
  isCited?: boolean;
}

function PageItem({ page, rank, isCited = false, track, open, onChoose }: PageItemProps) {
  const place = track.pages[page];
  const name = pageWords(place);
  return (
    <li>
      <button
        type="button"
        class="now-page line bare list-row medium"
        title={name}
        aria-label={isCited ? t("{name}, cited", { name }) : name}
        aria-current={page === open ? "true" : undefined}
        data-page={page}
        data-cited={isCited}
        onClick={() => onChoose(page)}
      >
        {rank ? <span class="now-rank quiet number">{rank}</span> : null}
        <span class="now-name ellipsis">{place.document}</span>
        <span class="now-number">{t("p. {page}", { page: place.number })}</span>
        <span class="now-mark inline">{isCited ? <Icon name="cited" /> : null}</span>
      </button>
    </li>
  );
}

/** The fields that were set last, the last one first. */
function FieldValues({ track, seq }: { track: Track; seq: number }) {
  const { fieldLabels } = track.data;
  return (
    <section>
      <h3>{t("Fields")}</h3>
      <dl class="now-fields">
        {track
          .fields(seq)
          .slice(-SHOWN_FIELDS)
          .reverse()
          .map(({ key, field, page, box, value }) => {
            const boxName = box === null ? "" : t("box {box}", { box });
            const place = page === null ? boxName : pageWords(track.pages[page]);
            const name = fieldLabels[field] ?? field;
            return [
              <dt key={`${key} name`}>{place ? `${name}, ${place}` : name}</dt>,
              <dd key={`${key} value`}>{value}</dd>,
            ];
          })}
      </dl>
    </section>
  );
}
