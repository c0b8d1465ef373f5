/** DOM building blocks. Data only ever becomes text nodes or attributes, never markup. */

import { grouped } from "./notation.js";

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "disabled", "checked", "hidden", "inert", "tabIndex"]);

/**
 * @typedef {Node | string | number | null | false | undefined} Child
 * @typedef {{
 *   on?: { [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void },
 *   text?: string | null, testid?: string, [attribute: string]: any,
 * }} Props attributes; `testid`, `text`, and `on` are special
 */

/**
 * Make an element; a button submits nothing unless its type says so.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  if (node instanceof HTMLButtonElement) node.type = "button";
  // What is typed runs in its own direction: Arabic and Hebrew from the right.
  if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) node.dir = "auto";
  assign(node, props);
  append(node, children);
  return node;
}

/**
 * Make an SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {...Node} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, props = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  assign(node, props);
  append(node, children);
  return node;
}

/** @param {any} node @param {Props} props */
function assign(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (name === "on") {
      for (const [type, handler] of Object.entries(value)) node.addEventListener(type, handler);
    } else if (name === "text") {
      node.textContent = value;
    } else if (name === "testid") {
      node.setAttribute("data-testid", value);
    } else if (PROPERTIES.has(name) && name in node) {
      node[name] = value;
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, String(value));
    }
  }
}

/** @param {Element | DocumentFragment} node @param {(Child | Child[])[]} children */
function append(node, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== false && child !== undefined)
      node.append(/** @type {Node | string} */ (child));
  }
}

/**
 * Replace an element's children.
 * @param {Element | DocumentFragment} node
 * @param {...(Node|string|null|false)} children
 */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
}

/**
 * Set an element's text, touching the DOM only when it differs (live regions repeat otherwise).
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Set or remove an attribute.
 * @param {Element} node
 * @param {string} name
 * @param {string|number|boolean|null|undefined} value
 */
export function setAttr(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : String(value));
}

/**
 * Whether an event's real target (through shadow roots) takes typed text.
 * @param {Event} event
 * @returns {boolean}
 */
export function isTyping(event) {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement) {
    return !["button", "checkbox", "radio", "range", "submit"].includes(target.type);
  }
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

/**
 * "2 pages", "1 page".
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 * @returns {string}
 */
export function plural(n, one, many = `${one}s`) {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}
