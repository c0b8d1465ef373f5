/** DOM building blocks. Data only ever becomes text nodes or attributes, never markup. */

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "disabled", "checked", "hidden", "inert", "tabIndex"]);

export type Child = Node | string | number | null | false | undefined;

/** attributes; `testid`, `text`, and `on` are special */
export type Props = {
  on?: { [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void };
  text?: string | null;
  testid?: string;
  [attribute: string]: unknown;
};

/** Make an element; a button submits nothing unless its type says so. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  if (node instanceof HTMLButtonElement) node.type = "button";
  // What is typed runs in its own direction: Arabic and Hebrew from the right.
  if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) node.dir = "auto";
  assign(node, props);
  append(node, children);
  return node;
}

/** Make an SVG element. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: Node[]
): SVGElementTagNameMap[Tag] {
  const node = document.createElementNS(SVG, tag);
  assign(node, props);
  append(node, children);
  return node;
}

function assign(node: Element, { on = {}, text, testid, ...attributes }: Props) {
  for (const [type, handler] of Object.entries(on))
    node.addEventListener(type, handler as EventListener);
  if (text !== undefined) node.textContent = text;
  if (testid !== undefined) node.setAttribute("data-testid", testid);
  for (const [name, value] of Object.entries(attributes)) {
    if (PROPERTIES.has(name) && name in node) {
      Object.assign(node, { [name]: value });
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, String(value));
    }
  }
}

function append(node: Element, children: (Child | Child[])[]) {
  for (const child of children.flat()) {
    if (child !== null && child !== false && child !== undefined)
      node.append(child as Node | string);
  }
}

/** Set an element's text, touching the DOM only when it differs (live regions repeat otherwise). */
export function setText(node: Node, text: string) {
  if (node.textContent !== text) node.textContent = text;
}

/** Set or remove an attribute. */
export function setAttr(
  node: Element,
  name: string,
  value: string | number | boolean | null | undefined,
) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : String(value));
}

/** Whether an event's real target (through shadow roots) takes typed text. */
export function isTyping(event: Event): boolean {
  const target = event.composedPath()[0];
  return target instanceof Element && takesText(target);
}

/** Whether an element takes typed text. */
export function takesText(element: Element): boolean {
  if (element instanceof HTMLInputElement) {
    return !["button", "checkbox", "radio", "range", "submit"].includes(element.type);
  }
  return (
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement ||
    (element instanceof HTMLElement && element.isContentEditable)
  );
}
