/** What is loaded when a text is first opened: the editor, the parser and the rendered view. */

export { merged } from "./edits";
export { RenderedText } from "./RenderedText";
export { RenderedScroll, ScrollSync } from "./scroll_sync";
export { TextEditor } from "./text_editor";
