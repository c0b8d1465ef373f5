import { t } from "../../shared/messages";

/** The differences that came with a task: what was submitted, and what the reviewer chose to show. */
export function DifferenceTable({ differences }: { differences: Pt.Difference[] }) {
  const isCompared = differences.some(({ other }) => other);
  return (
    <table class="talk-differences bordered medium" data-testid="differences">
      <thead>
        <tr>
          <th scope="col">{t("What differs")}</th>
          <th scope="col">{t("Yours")}</th>
          {isCompared ? <th scope="col">{t("For comparison")}</th> : null}
        </tr>
      </thead>
      <tbody>
        {differences.map(({ part, label, yours, other }) => (
          <tr key={`${part} ${label}`} data-testid="difference">
            <th scope="row">{label}</th>
            <Value text={yours} />
            {isCompared ? <Value text={other} /> : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ text }: { text: string }) {
  return (
    <td>
      <div class="talk-value">{text || "–"}</div>
    </td>
  );
}
