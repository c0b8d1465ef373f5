import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Icon } from "../../shared/components/Icon";
import { t } from "../../shared/messages";
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
    <section class="gold-panel" data-testid="gold" aria-label={t("Gold")}>
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
                {t("Incomplete: {sentences}", { sentences: missing.join(" ") })}
              </strong>
            ) : null}
            {since.length ? (
              <strong class="since" data-testid="since">
                {" "}
                {t("Since then: {sentences}", { sentences: since.join(" ") })}
              </strong>
            ) : null}
          </span>
        </summary>
        <div class="gold-details medium">
          <Section title={t("Sources")}>
            <ul>
              {gold.sources.map(({ annotator, attempt, seq }) => (
                <li key={attempt}>
                  {t("{annotator}, as submitted with event {seq}", { annotator, seq })}{" "}
                  <code class="quiet">{attempt}</code>
                </li>
              ))}
            </ul>
          </Section>
          <Section title={t("Merged from")}>
            <ul>
              {gold.choices.map((choice) => (
                <li key={choice.part}>
                  {partLabel(data, choice.part)}: {choiceWords(data, gold, choice)}
                </li>
              ))}
            </ul>
          </Section>
          <Section title={t("History")}>
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
      ? t("accepted automatically, confirmed by {name}", { name: gold.decided_by })
      : t("accepted by the campaign’s rule")
    : t("decided by {name}", { name: gold.decided_by });
  const why = gold.reason ? `: ${t("“{label}”", { label: gold.reason })}` : "";
  const now = gold.reopened
    ? ` ${t("It was reopened and stays current until it is decided again.")}`
    : "";
  const decision = t("Gold, version {version}, {who} on {time}{reason}.", {
    version: gold.version,
    who,
    time: dateTime(gold.decided_at),
    reason: why,
  });
  return decision + now;
}

/** Of whose work a part was made, or how. */
function choiceWords(data: Pt.ReviewData, gold: Pt.ReviewedGold, choice: Pt.Choice) {
  const names = new Map([
    ...gold.sources.map(({ attempt, annotator }) => [attempt, annotator] as const),
    ...data.participants.map(({ attempt, name }) => [attempt, name] as const),
    ...data.model_drafts.map(
      ({ attempt, name }) => [attempt, t("the draft of {model}", { model: name })] as const,
    ),
    [DATASET, t("the dataset")],
  ]);
  const draftSource = choice.how === "edited" ? choice.side : null;
  if (draftSource)
    return t("edited, from {source}", { source: names.get(draftSource) ?? t("an earlier draft") });
  const people = sidesOf(choice).map(
    (source) => names.get(source) ?? (source.startsWith("draft:") ? t("an earlier draft") : source),
  );
  return people.length
    ? t("as submitted by {people}", { people: people.join(t(", or by ")) })
    : wayWords(choice.how);
}

function partLabel({ protocol, parts }: Pt.ReviewData, part: string) {
  const spec = protocol.fields.find(({ name }) => name === part);
  return spec?.label ?? parts.find((compared) => compared.part === part)?.label ?? part;
}
