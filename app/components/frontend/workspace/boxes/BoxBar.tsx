import { boxesOn } from "../../shared/box_state";
import { IconButton } from "../../shared/components/Button";
import { Swatch } from "../../shared/components/Swatch";
import { withKey } from "../../shared/keys";
import { N_, t } from "../../shared/messages";
import { firstLetter, keyedLabels } from "../fields/key_owners";
import { isReadOnly } from "../state/attempt_state";
import { currentForm } from "../state/form_state";
import "./BoxBar.css";

const TOOLS = [
  { name: "pan", icon: "hand", label: N_("Move the page"), command: "escape" },
  { name: "box", icon: "box", label: N_("Draw boxes"), command: "toolBox" },
  { name: "text", icon: "text", label: N_("Select text"), command: "toolText" },
] as const;

export interface BoxBarActions {
  toggleTool(name: string): void;
  label(name: string): void;
  duplicate(): void;
  remove(): void;
  toggleHidden(): void;
  toggleSnap(): void;
}

export interface BoxBarProps {
  store: Pt.Store;
  actions: BoxBarActions;
  /** of the whole task */
  history: { undo(): void; redo(): void };
}

/** The second row of the viewer's bar where pages take boxes: tools, labels, undo and the like. */
export function BoxBar({ store, actions, history }: BoxBarProps) {
  const part = store.protocol.value.boxes;
  if (!part.enabled) return null;
  const page = store.page.value;
  const state = store.state.value;
  const tool = store.tool.value;
  const isHidden = store.boxesHidden.value;
  const editable = !isReadOnly(state) && !store.timeOver.value;
  const selected = selectedBox(store);
  const keyed = new Set(keyedLabels(store.tracked, currentForm(store)).map(({ key }) => key));
  const isKeyTaken = (command: string) =>
    store.keys.value.some((entry) => entry.command === command && keyed.has(entry.key));
  return (
    <div class="viewbar boxbar line" role="toolbar" aria-label={t("Boxes")}>
      <div class="bar-group line" role="group" aria-label={t("Tools")}>
        {TOOLS.map(({ name, icon, label, command }) => (
          <IconButton
            key={name}
            icon={icon}
            label={t(label)}
            title={isKeyTaken(command) ? t(label) : withKey(t(label), command)}
            testid={`tool-${name}`}
            aria-pressed={name === tool}
            disabled={!page}
            onClick={() => actions.toggleTool(name)}
          />
        ))}
      </div>
      <Labels {...{ store, editable, selected, keyed }} onChoose={(name) => actions.label(name)} />
      <div class="bar-group line">
        <IconButton
          icon="undo"
          label={t("Undo")}
          title={withKey(t("Undo"), "undo")}
          testid="undo"
          disabled={!editable || !state.undo.length}
          onClick={() => history.undo()}
        />
        <IconButton
          icon="redo"
          label={t("Redo")}
          title={withKey(t("Redo"), "redo")}
          testid="redo"
          disabled={!editable || !state.redo.length}
          onClick={() => history.redo()}
        />
        <IconButton
          icon="duplicate"
          label={t("Duplicate the box")}
          title={withKey(t("Duplicate the box"), "duplicateBox")}
          testid="box-duplicate"
          disabled={!editable || !selected || !part.add}
          onClick={() => actions.duplicate()}
        />
        <IconButton
          icon="bin"
          label={t("Delete the box")}
          title={withKey(t("Delete the box"), "deleteBox")}
          testid="box-delete"
          disabled={!editable || !selected}
          onClick={() => actions.remove()}
        />
        <IconButton
          icon="eye"
          label={t("Hide the boxes")}
          title={
            isHidden
              ? withKey(t("Show the boxes"), "hideBoxes")
              : withKey(t("Hide the boxes"), "hideBoxes")
          }
          testid="boxes-hide"
          aria-pressed={isHidden}
          disabled={!page}
          onClick={() => actions.toggleHidden()}
        />
        {part.snap ? (
          <IconButton
            icon="magnet"
            label={t("Snap edges to words")}
            title={t("Snap edges to words (Alt: not now)")}
            testid="snap"
            aria-pressed={store.layout.value.snap !== false}
            onClick={() => actions.toggleSnap()}
          />
        ) : null}
      </div>
    </div>
  );
}

/** The chosen box, where it is on the open page. */
function selectedBox(store: Pt.Store): Pt.PageBox | null {
  const page = store.page.value;
  const id = store.selected.value;
  if (!page || id === null) return null;
  const here = boxesOn(store.state.value.boxes, page.document, page.page);
  return here.find((box) => box.id === id) ?? null;
}

interface LabelsProps {
  store: Pt.Store;
  editable: boolean;
  selected: Pt.PageBox | null;
  /** the keys that choose labels now */
  keyed: ReadonlySet<string>;
  onChoose: (name: string) => void;
}

/** The labels, of the chosen box or of new ones. */
function Labels({ store, editable, selected, keyed, onChoose }: LabelsProps) {
  const { labels } = store.protocol.value.boxes;
  const keys = store.label_keys.value;
  const active = store.activeLabel.value;
  const ofNewBoxes = labels.find(({ name }) => name === active) ?? labels[0];
  const shown = selected ? selected.label : ofNewBoxes?.name;
  return (
    <div
      class="box-labels wrapping"
      role="group"
      aria-label={selected ? t("Label of the selected box") : t("Label of new boxes")}
    >
      {labels.map(({ name, title, help }) => (
        <button
          key={name}
          type="button"
          class="box-chip toggle"
          data-testid="box-label"
          data-label={name}
          title={help || title}
          aria-pressed={name === shown}
          disabled={!editable}
          onClick={() => onChoose(name)}
        >
          {keys[name] ? (
            <kbd class={keyed.has(keys[name]) ? undefined : "idle"}>{keys[name]}</kbd>
          ) : null}
          <Swatch labels={labels} label={name} />
          <span>
            {keyed.has(firstLetter(title)) ? (
              <>
                <u>{title.charAt(0)}</u>
                {title.slice(1)}
              </>
            ) : (
              title
            )}
          </span>
        </button>
      ))}
    </div>
  );
}
