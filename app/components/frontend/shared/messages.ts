/**
 * Translates the sentences that people see; the English sentence is the key, and `{name}` stands for
 * what varies. `python -m scripts.extract_messages` collects them from the calls of `t` and `tn`.
 */

import type { ComponentChildren } from "preact";
import { grouped } from "./notation";

export type Values = Record<string, string | number | null | undefined>;

/** One language's messages: the sentence, or its forms by plural category. */
export interface BrowserMessages {
  language: string;
  messages: Record<string, string | Partial<Record<Intl.LDMLPluralRule, string>>>;
}

const ENGLISH: BrowserMessages = { language: "en", messages: {} };

let translations = ENGLISH;
let pluralRules = new Intl.PluralRules(ENGLISH.language);

/**
 * Get the messages before a screen is made; where they cannot be fetched, it is in English.
 * @param address null for English
 */
export async function loadMessages(address: string | null) {
  if (address === null) return;
  try {
    const reply = await fetch(address);
    if (reply.ok) useTranslations(await reply.json());
  } catch {
    // Out of reach: English can be read as well.
  }
}

export function useTranslations(loaded: BrowserMessages) {
  translations = loaded;
  pluralRules = new Intl.PluralRules(loaded.language);
}

/** The language's tag, such as "de"; of the sentences on screen, so it is English where none are. */
export const language = () => translations.language;

/** The sentence in the person's language; call it where it is shown, not when a module is loaded. */
export function t(message: string, values: Values = {}): string {
  const translated = translations.messages[message];
  return insertValues(typeof translated === "string" ? translated : message, values);
}

/** Marks a constant for the catalogue, translated with `t` where it is shown. */
export const N_ = (message: string) => message;

/** The sentence for that number, which is `{number}` in it. */
export function tn(one: string, many: string, number: number, values: Values = {}): string {
  const forms = translations.messages[one];
  const translated =
    typeof forms === "object" ? (forms[pluralRules.select(number)] ?? forms.other) : undefined;
  const english = number === 1 ? one : many;
  return insertValues(translated ?? english, { number: grouped(number), ...values });
}

/** Put values in place of their names; names without a value stay. */
export function insertValues(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? String(values[name]) : whole,
  );
}

/** The sentence with elements in place of `{name}`. */
export function withElements(
  text: string,
  elements: Record<string, ComponentChildren>,
): ComponentChildren[] {
  return text
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 ? (elements[part] ?? `{${part}}`) : part));
}

/** "A, B and C" in the person's language. */
export function joinedWords(words: readonly string[]): string {
  // British English has no comma before "and".
  return new Intl.ListFormat(language() === "en" ? "en-GB" : language()).format(words);
}
