/** The control of each kind of field. */

import type { FunctionComponent } from "preact";
import { OPTION_CONTROLS } from "./OptionControls";
import { TYPED_CONTROLS } from "./TypedControls";
import type { Texts } from "./text_drafts";

export type Value = Pt.FieldValue["value"];

export interface ControlProps {
  spec: Pt.FieldSpec;
  target: Pt.Target;
  attempt: string;
  value: Value;
  /** the options that may be chosen now */
  offered: readonly Pt.Option[];
  /** Options that may not be chosen stay in view. */
  keepsPlace: boolean;
  disabled: boolean;
  /** The boxes say so, and nobody has confirmed it yet. */
  isProposed: boolean;
  /** The field has the focus, and keys choose in it. */
  isKeyed: boolean;
  /** The keys that choose here now, in lower case; only these are printed. */
  printedKeys: ReadonlySet<string>;
  /** ids of the field's label and error, and the one for an input */
  ids: { label: string; error: string; input: string };
  /** for the element that takes the focus */
  focusRef: (element: HTMLElement | null) => void;
  /** what is typed and not handed over yet */
  texts: Texts;
  /**
   * @param event what chose it, if it was one
   * @param byDigit a digit chose it: the next field is wanted
   */
  onChoose: (value: Value, event?: Event, byDigit?: boolean) => void;
  /** The field takes the keys as it has the focus, or no longer. */
  onKeyed: (isKeyed: boolean) => void;
  /** A text was typed; it saves itself. */
  onText: (text: string) => void;
  /** A draft lost against newer work; `use` puts it in. */
  onLostText: (use: () => void) => void;
  /** What was typed cannot be taken. */
  onProblem: (sentence: string) => void;
}

export interface Control {
  view: FunctionComponent<ControlProps>;
  /** It is one input, which the field's label leads to; else a group of buttons. */
  isInput?: boolean;
}

type Kind = Exclude<Pt.FieldSpec["kind"], "records">;
export type Controls = Partial<Record<Kind, Control>>;

export const CONTROLS: Record<Kind, Control> = { ...OPTION_CONTROLS, ...TYPED_CONTROLS };
