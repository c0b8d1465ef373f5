/** The second row of the viewer's bar where pages take boxes: tools, labels, undo and the like. */

import { lastChange } from "../../shared/box_state";
import { iconButton } from "../../shared/buttons";
import { h, setAttr } from "../../shared/dom";
import { swatch } from "../../shared/label_styles";
import type { BoxTool } from "./box_commands";

export function createBoxBar(tool: BoxTool): { element: HTMLElement; update: (data: any) => void } {
  const button: (
    testid: string,
    name: string,
    label: string,
    key: string,
    run: () => void,
  ) => HTMLButtonElement = (testid, name, label, key, run) =>
    iconButton(name, label, run, { testid, title: `${label} (${key})` });
  const tools = {
    pan: button("tool-pan", "hand", "Move the page", "Esc", () => tool.setTool("pan")),
    box: button("tool-box", "box", "Draw boxes", "b", () => tool.setTool("box")),
    text: button("tool-text", "text", "Select text", "t", () => tool.setTool("text")),
  };
  const undo = button("undo", "undo", "Undo", "Ctrl+Z", () => tool.undo());
  const redo = button("redo", "redo", "Redo", "Ctrl+Shift+Z", () => tool.redo());
  const duplicate = button("box-duplicate", "duplicate", "Duplicate the box", "Ctrl+D", () =>
    tool.duplicate(),
  );
  const remove = button("box-delete", "bin", "Delete the box", "Del", () => tool.remove());
  const hide = button("boxes-hide", "eye", "Hide the boxes", "h", () => tool.hide());
  const snap = button("snap", "magnet", "Snap edges to words", "Alt: not now", () =>
    tool.toggleSnap(),
  );
  const labels = h("div", { class: "box-labels wrapping", role: "group", "aria-label": "Labels" });
  const element = h(
    "div",
    { class: "viewbar boxbar line", role: "toolbar", "aria-label": "Boxes", hidden: true },
    h(
      "div",
      { class: "bar-group line", role: "group", "aria-label": "Tools" },
      ...Object.values(tools),
    ),
    labels,
    h("div", { class: "bar-group line" }, undo, redo, duplicate, remove, hide, snap),
  );
  let chips = new Map();
  let known: any = null;

  /** One chip per label, built again only when the protocol's list changes. */
  function setLabels(list: any[], keys: Record<string, string | null>) {
    if (known === list) return;
    known = list;
    chips = new Map(
      list.map(({ name, help }) => {
        const key = keys?.[name];
        const chip = h(
          "button",
          {
            class: "box-chip toggle",
            testid: "box-label",
            "data-label": name,
            title: help || name,
            on: { click: () => tool.label(name) },
          },
          key ? h("kbd", { text: key }) : null,
          swatch(list, name),
          h("span", { text: name }),
        );
        return [name, chip];
      }),
    );
    labels.replaceChildren(...chips.values());
  }

  function update({
    protocol,
    state,
    page,
    label_keys: keys,
    boxesHidden,
    tool: current,
  }: Pt.WorkspaceData) {
    const part = protocol.boxes;
    element.hidden = !part.enabled;
    if (!part.enabled) return;
    setLabels(part.labels, keys);
    const { editable } = tool;
    for (const [name, control] of Object.entries(tools)) {
      setAttr(control, "aria-pressed", String(name === current));
      control.disabled = !page;
    }
    const chosen = tool.selected;
    const shown = chosen ? chosen.label : tool.activeLabel;
    // Without a box in hand the digits are the page's, so the chips must not promise them.
    labels.classList.toggle("unkeyed", !chosen && current !== "box");
    for (const [name, chip] of chips) {
      setAttr(chip, "aria-pressed", String(name === shown));
      chip.disabled = !editable;
    }
    setAttr(labels, "aria-label", chosen ? "Label of the selected box" : "Label of new boxes");
    const last = (stack: "undo" | "redo") =>
      page && lastChange(state.boxes, stack, page.document, page.page);
    undo.disabled = !editable || !last("undo");
    redo.disabled = !editable || !last("redo");
    duplicate.disabled = !editable || !chosen || !part.add;
    remove.disabled = !editable || !chosen;
    hide.disabled = !page;
    setAttr(hide, "aria-pressed", String(boxesHidden));
    setAttr(hide, "title", `${boxesHidden ? "Show" : "Hide"} the boxes (h)`);
    snap.hidden = !part.snap;
    setAttr(snap, "aria-pressed", String(tool.snapping));
  }
  return { element, update };
}
