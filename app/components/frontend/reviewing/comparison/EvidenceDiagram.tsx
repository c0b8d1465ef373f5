import { N_, t } from "../../shared/messages";
import { includesPlace, placeWords } from "../../shared/places";
import type { ReviewStore } from "../store";
import { combinations, type PageGroup, venn } from "./evidence_sets";
import { type PageImageUrl, PageShot } from "./PageShot";
import "./EvidenceDiagram.css";

const SHOWN = 3;
const LABEL = N_("Evidence pages by who cited them");

export interface EvidenceDiagramProps {
  store: ReviewStore;
  imageUrl: PageImageUrl;
  onOpenPage: (place: Pt.Place) => void;
}

/** The evidence as a diagram: circles for up to three people, a matrix of combinations for more. */
export function EvidenceDiagram(props: EvidenceDiagramProps) {
  const { store } = props;
  const participants = store.participants.value;
  const attempts = participants.map(({ attempt }) => attempt);
  const groups = combinations(store.review.value.evidence, attempts);
  return hasRoom(participants.length, groups) ? (
    <Circles {...props} attempts={attempts} />
  ) : (
    <CombinationTable {...props} groups={groups} />
  );
}

/** Whether circles have room: where three of them overlap there is space for one image. */
function hasRoom(people: number, groups: PageGroup[]) {
  if (people < 3) return true;
  return (
    people === 3 && groups.every(({ members, pages }) => members.length === 1 || pages.length === 1)
  );
}

function GroupedPages({ store, pages, ...props }: EvidenceDiagramProps & { pages: Pt.Place[] }) {
  const kept = store.draft.value.evidence ?? [];
  const others = pages.slice(SHOWN);
  return (
    <>
      {pages.slice(0, SHOWN).map((place) => (
        <PageShot
          key={`${place.document}/${place.page}`}
          store={store}
          place={place}
          isInGold={includesPlace(kept, place)}
          imageUrl={props.imageUrl}
          onOpen={props.onOpenPage}
        />
      ))}
      {others.length ? (
        <span class="more" title={others.map(placeWords).join("\n")}>
          +{others.length}
        </span>
      ) : null}
    </>
  );
}

function Circles({ attempts, ...props }: EvidenceDiagramProps & { attempts: string[] }) {
  const { store } = props;
  const { circles, regions } = venn(store.review.value.evidence, attempts);
  return (
    <div class="venn" role="group" aria-label={t(LABEL)} data-testid="venn">
      <svg class="venn-rings" viewBox="0 0 100 60" preserveAspectRatio="none" aria-hidden="true">
        {circles.map((circle, i) => {
          const { line, dash } = store.look.value(attempts[i]);
          return (
            <circle
              key={attempts[i]}
              {...circle}
              stroke={line}
              fill={line}
              stroke-dasharray={dash}
              class="ring"
            />
          );
        })}
      </svg>
      {store.participants.value.map(({ attempt, name }, i) => {
        const isAlone = attempts.length === 1;
        const left = isAlone ? 50 : [1, 99, 74][i];
        const anchor = isAlone ? "middle" : ["start", "end", "start"][i];
        return (
          <span
            key={attempt}
            class={`venn-name nowrap ${anchor}`}
            style={{ left: `${left}%`, top: `${i === 2 ? 90 : 8}%` }}
          >
            {name}
          </span>
        );
      })}
      {regions.map(({ key, x, y, pages }) =>
        pages.length ? (
          <div
            key={key}
            class="venn-region"
            style={{ left: `${x}%`, top: `${(y / 60) * 100}%` }}
            data-members={key}
          >
            <GroupedPages {...props} pages={pages} />
          </div>
        ) : null,
      )}
    </div>
  );
}

function CombinationTable({ groups, ...props }: EvidenceDiagramProps & { groups: PageGroup[] }) {
  const { store } = props;
  const most = Math.max(1, ...groups.map(({ pages }) => pages.length));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
    <div class="upset-scroll" tabIndex={0} role="group" aria-label={t(LABEL)}>
      <table class="upset" data-testid="upset">
        <tbody>
          <tr>
            <th scope="row" class="quiet">
              {t("Pages")}
            </th>
            {groups.map(({ key, pages }) => (
              <td key={key}>
                <span
                  class="upset-fill"
                  style={{ height: `${Math.round((24 * pages.length) / most)}px` }}
                />
                <span class="number">{pages.length}</span>
              </td>
            ))}
          </tr>
          {store.participants.value.map(({ name, attempt }, i) => (
            <tr key={attempt}>
              <th scope="row">{name}</th>
              {groups.map(({ key, members }) => {
                const isMember = members.includes(i);
                const background = isMember ? store.look.value(attempt).line : undefined;
                return (
                  <td key={key} aria-label={isMember ? t("cited") : t("not cited")}>
                    <span class="upset-dot" style={{ background }} />
                  </td>
                );
              })}
            </tr>
          ))}
          <tr>
            <th scope="row" class="quiet">
              {t("Which")}
            </th>
            {groups.map(({ key, pages }) => (
              <td key={key} class="upset-pages">
                <GroupedPages {...props} pages={pages} />
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}
