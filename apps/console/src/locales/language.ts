import { i18n } from '@lingui/core';
import { languages } from 'virtual:languages';

const DEFAULT = 'en';

/**
 * Loads the texts in the first language of the browser that there is. The modules of the pages are loaded after it, so they can
 * have texts anywhere; a change of the language needs a reload.
 */
export async function activateLanguage(wanted: readonly string[] = navigator.languages): Promise<void> {
  const language = chosenLanguage(wanted);
  const { messages } = await languages[language]!();
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

/** `de-AT` is served with `de`, if there is nothing closer. */
function chosenLanguage(wanted: readonly string[]): string {
  for (const each of wanted) {
    const closest = [each, each.split('-')[0]!].find((name) => Object.hasOwn(languages, name));
    if (closest !== undefined) return closest;
  }
  return DEFAULT;
}

/** A number as the language writes it. */
export const numberText = (value: number): string => i18n.number(value);

/** `a, b, and c` */
export const conjunctionText = (words: readonly string[]): string => listText(words, 'conjunction');

/** `a, b, or c` */
export const alternativesText = (words: readonly string[]): string => listText(words, 'disjunction');

const listText = (words: readonly string[], type: Intl.ListFormatType): string =>
  new Intl.ListFormat(i18n.locale, { type }).format(words);
