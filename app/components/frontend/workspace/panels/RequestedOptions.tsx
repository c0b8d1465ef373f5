import { t } from "../../shared/messages";
import "./RequestedOptions.css";

/** What was drawn for the question, such as its type, and how many of it the campaign has. */
export function RequestedOptions({ store }: { store: Pt.Store }) {
  const requested = store.question_counts.value?.requested ?? [];
  if (!requested.length) return null;
  return (
    <section class="requested stack" aria-label={t("Asked for")} data-testid="requested">
      <h2>{t("Asked for")}</h2>
      <dl class="stack">
        {requested.map(({ field, label, option, help, written, requested: total }) => (
          <div key={field} class="requested-option" data-field={field}>
            <dt class="quiet medium">{label}</dt>
            <dd>
              <span class="strong">{option}</span>{" "}
              <span class="quiet medium number" data-testid="requested-count">
                {t("{written} of {total} in the campaign", { written, total })}
              </span>
              {help ? <p class="quiet medium">{help}</p> : null}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
