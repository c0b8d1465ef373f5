import type { ComponentChildren } from "preact";
import { Button } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { t, tn, withElements } from "../../shared/messages";
import { includesPlace, placeWords } from "../../shared/places";
import { dateTime, duration } from "../formatting";
import { DraftBlanks } from "./DraftColumn";
import "./WorkRows.css";

export interface WorkRowsProps {
  data: Pt.ReviewData;
  /** address of a person's replay */
  replayAddress: (participant: Pt.Participant) => string;
  onComment: (participant: Pt.Participant) => void;
}

/** How the work was done: time, searches, remarks, and the ways to the replay and the comments. */
export function WorkRows({ data, replayAddress, onComment }: WorkRowsProps) {
  const { participants: sides } = data;
  return (
    <tbody class="work">
      <WorkRow label={t("Time")} data={data}>
        {(participant) => <TimeCell participant={participant} />}
      </WorkRow>
      {sides.some(({ searches }) => searches.length) ? (
        <WorkRow label={t("Searches")} data={data}>
          {(participant) => <SearchesCell participant={participant} />}
        </WorkRow>
      ) : null}
      {sides.some((participant) => remarksOf(participant).length) ? (
        <WorkRow label={t("Remarks")} data={data}>
          {(participant) => <RemarksCell participant={participant} />}
        </WorkRow>
      ) : null}
      <WorkRow label={t("More")} data={data}>
        {(participant) => (
          <div class="wrapping">
            {/* The replay names the person. */}
            {data.rule.hide_names ? null : (
              <a
                class="button small"
                href={replayAddress(participant)}
                target="_blank"
                rel="noopener"
              >
                <Icon name="history" />
                {t("Replay")}
              </a>
            )}
            <Button testid="comments" onClick={() => onComment(participant)}>
              {participant.comments.length
                ? tn("{number} comment", "{number} comments", participant.comments.length)
                : t("Comment")}
            </Button>
          </div>
        )}
      </WorkRow>
    </tbody>
  );
}

interface WorkRowProps {
  label: string;
  data: Pt.ReviewData;
  children: (participant: Pt.Participant) => ComponentChildren;
}

function WorkRow({ label, data, children }: WorkRowProps) {
  return (
    <tr>
      <th scope="row" class="part-col quiet">
        {label}
      </th>
      {data.participants.map((participant) => (
        <td key={participant.attempt}>{children(participant)}</td>
      ))}
      <DraftBlanks data={data} />
      <td class="gold-col" />
    </tr>
  );
}

function TimeCell({ participant }: { participant: Pt.Participant }) {
  return (
    <span title={t("Submitted {time}", { time: dateTime(participant.submitted_at) })}>
      {withElements(t("{active} active, {total} in all"), {
        active: <span class="number">{duration(participant.active_ms)}</span>,
        total: <span class="number">{duration(participant.wall_ms)}</span>,
      })}
    </span>
  );
}

/** The searches, each with its hits; ranks of the pages that were cited in the end. */
function SearchesCell({ participant }: { participant: Pt.Participant }) {
  const { searches, citations } = participant;
  if (!searches.length) return <span class="quiet">{t("none")}</span>;
  return (
    <details>
      <summary>{tn("{number} search", "{number} searches", searches.length)}</summary>
      <ol class="searches stack">
        {searches.map((search, i) => (
          <li key={i}>
            <code>{search.query}</code>{" "}
            <span class="quiet">
              {search.refusal
                ? t("refused: {reason}", { reason: search.refusal })
                : tn("{number} hit", "{number} hits", search.total_hits ?? search.results.length)}
            </span>
            {search.results.map(([document, page], rank) =>
              includesPlace(citations, { document, page }) ? (
                <span
                  key={rank}
                  class="hit-cited pill"
                  data-tone="good"
                  title={placeWords({ document, page })}
                >
                  {t("cited: result {rank}", { rank: rank + 1 })}
                </span>
              ) : null,
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Flag, note and reason for skipping: whatever there is. */
function RemarksCell({ participant }: { participant: Pt.Participant }) {
  const remarks = remarksOf(participant);
  if (!remarks.length) return <span class="quiet">—</span>;
  return (
    <dl class="remarks pairs">
      {remarks.map(([kind, text]) => (
        <div key={kind}>
          <dt>{kind}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function remarksOf(participant: Pt.Participant) {
  const remarks = [
    [t("Skipped"), participant.skip_reason],
    [t("Submitted at the time limit without"), participant.submitted_without.join(", ")],
    [t("Flag"), participant.flag],
    [t("Note"), participant.note],
  ];
  return remarks.filter(([, text]) => text);
}
