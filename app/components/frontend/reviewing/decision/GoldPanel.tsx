import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Icon } from "../../shared/components/Icon";
import { sinceGold } from "../comparison/changes";
import { dateTime, wayWords } from "../formatting";
import type { ReviewStore } from "../store";
import { DATASET, sidesOf } from "./selections";
import "./GoldPanel.css";

/** What is known of the gold: version, who, when, why, of whose work, how, and all that happened. */
export function GoldPanel({ store }: { store: ReviewStore }) {
  const open = useSignal(false);
  const data = store.review.value;
  const { gold } = data;
  if (!gold?.version) return null;
  const since = sinceGold(data);
  const missing = gold.reopened ? [] : Object.values(gold.draft.missing ?? {});
  return (
    <section class="gold-panel" data-testid="gold" aria-label="Gold">
      <details
        open={open.value}
        onToggle={(event) => {
          open.value = event.currentTarget.open;
        }}
      >
        <summary data-testid="gold-line">
          <Icon name="check" />
          <span>
            {goldWords(gold)}
            {missing.length ? (
              <strong class="since" data-testid="gaps">
                {" "}
                Incomplete: {missing.join(" ")}
              </strong>
            ) : null}
            {since.length ? (
              <strong class="since" data-testid="since">
                {" "}
                Since then: {since.join(" ")}
              </strong>
            ) : null}
          </span>
        </summary>
        <div class="gold-details medium">
          <Section title="Sources">
            <ul>
              {gold.sources.map(({ annotator, attempt, seq }) => (
                <li key={attempt}>
                  {annotator}, as submitted with event {seq} <code class="quiet">{attempt}</code>
                </li>
              ))}
            </ul>
          </Section>
          <Section title="Merged from">
            <ul>
              {gold.choices.map((choice) => (
                <li key={choice.part}>
                  {partLabel(data, choice.part)}: {choiceWords(data, gold, choice)}
                </li>
              ))}
            </ul>
          </Section>
          <Section title="History">
            <ol data-testid="gold-log">
              {gold.log.map(({ seq, at, by, text }) => (
                <li key={seq}>
                  <span class="quiet number">
                    {seq} · {dateTime(at)} ·{" "}
                  </span>
                  {by}: {text}
                </li>
              ))}
            </ol>
          </Section>
        </div>
      </details>
    </section>
  );
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function goldWords(gold: Pt.ReviewedGold) {
  const who = gold.automatic
    ? gold.checked
      ? `accepted automatically, confirmed by ${gold.decided_by}`
      : "accepted by the campaign’s rule"
    : `decided by ${gold.decided_by}`;
  const why = gold.reason ? `: “${gold.reason}”` : "";
  const now = gold.reopened ? " It was reopened and stays current until it is decided again." : "";
  return `Gold, version ${gold.version}, ${who} on ${dateTime(gold.decided_at)}${why}.${now}`;
}

/** Of whose work a part was made, or how. */
function choiceWords(data: Pt.ReviewData, gold: Pt.ReviewedGold, choice: Pt.Choice) {
  const names = new Map([
    ...gold.sources.map(({ attempt, annotator }) => [attempt, annotator] as const),
    ...data.sides.map(({ attempt, name }) => [attempt, name] as const),
    [DATASET, "the dataset"],
  ]);
  const people = sidesOf(choice).map((source) => names.get(source) ?? source);
  return people.length
    ? `as submitted by ${people.join(", or by ")}`
    : wayWords(choice.how).toLowerCase();
}

function partLabel({ protocol, parts }: Pt.ReviewData, part: string) {
  const spec = protocol.fields.find(({ name }) => name === part);
  return spec?.label ?? parts.find((compared) => compared.part === part)?.label ?? part;
}
