import { joinedWords, t } from "../messages";
import { IconButton } from "./Button";
import { Icon } from "./Icon";
import "./MaterialList.css";

export interface MaterialListProps {
  material: Pt.ShownMaterial[];
  /** by source */
  folded: Readonly<Record<string, boolean>>;
  onFold: (source: string, folded: boolean) => void;
}

/** The material of a task, next to its question: a response, accepted answers, a prediction, a summary. */
export function MaterialList({ material, folded, onFold }: MaterialListProps) {
  if (!material.length) return null;
  return (
    <div class="materials">
      {material.map((item) => (
        <MaterialItem
          key={item.source}
          item={item}
          isFolded={folded[item.source] === true}
          onFold={onFold}
        />
      ))}
    </div>
  );
}

interface MaterialItemProps {
  item: Pt.ShownMaterial;
  isFolded: boolean;
  onFold: MaterialListProps["onFold"];
}

function MaterialItem({ item, isFolded, onFold }: MaterialItemProps) {
  const { source, title, lines, waits_for: waits } = item;
  const isLocked = waits.length > 0;
  const id = `pt-material-${source}`;
  return (
    <section class="material framed" data-testid="material" data-source={source} aria-label={title}>
      <div class="material-head line spread">
        <h2>{title}</h2>
        {isLocked ? null : (
          <IconButton
            class="icon-button small"
            icon={isFolded ? "down" : "up"}
            label={isFolded ? t("Show: {title}", { title }) : t("Hide: {title}", { title })}
            testid="material-toggle"
            aria-controls={id}
            aria-expanded={!isFolded}
            onClick={() => onFold(source, !isFolded)}
          />
        )}
      </div>
      {isLocked ? (
        <p class="material-locked quiet line medium">
          <Icon name="lock" />
          {t("Shown once {labels} is judged.", { labels: quotedList(waits) })}
        </p>
      ) : (
        <div
          class="material-body stack"
          id={id}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
          tabIndex={0}
          role="group"
          aria-label={title}
          hidden={isFolded}
        >
          {source === "gold_answers" && lines.length > 1 ? (
            <ul>
              {lines.map((line) => (
                <li>{line}</li>
              ))}
            </ul>
          ) : (
            lines.map((line) => <p>{line}</p>)
          )}
        </div>
      )}
    </section>
  );
}

/** “A” and “B”. */
export function quotedList(labels: string[]) {
  return joinedWords(labels.map((label) => t("“{label}”", { label })));
}
