import { i18n } from '@lingui/core';
import { languages } from 'virtual:languages';

/** Its texts are in the code. */
const ENGLISH = 'en';

/**
 * Loads the texts in the first language of the browser that there is. The modules of the pages are loaded after it, so they can
 * have texts anywhere; a change of the language needs a reload.
 */
export async function activateLanguage(wanted: readonly string[] = navigator.languages): Promise<void> {
  const [language, region] = chosenLanguage(wanted);
  const catalogue = await languages[language]?.();
  i18n.loadAndActivate({ locale: language, locales: region, messages: catalogue?.messages ?? {} });
  document.documentElement.lang = language;
}

/** `de-AT` is served with the texts of `de`, if there are none that are closer, and with its own dates and numbers. */
function chosenLanguage(wanted: readonly string[]): [language: string, region: string] {
  for (const region of wanted) {
    const closest = [region, region.split('-')[0]!].find((name) => name === ENGLISH || Object.hasOwn(languages, name));
    if (closest !== undefined) return [closest, region];
  }
  return [ENGLISH, ENGLISH];
}

/** The locale of dates, numbers and lists. */
export const intlLocale = (): string => [i18n.locales ?? i18n.locale].flat()[0]!;

/** A number as the language writes it. */
export const shownNumber = (value: number, options?: Intl.NumberFormatOptions): string => i18n.number(value, options);

/** `a, b, and c` */
export const conjunctionText = (words: readonly string[]): string => listText(words, 'conjunction');

/** `a, b, or c` */
export const alternativesText = (words: readonly string[]): string => listText(words, 'disjunction');

const listText = (words: readonly string[], type: Intl.ListFormatType): string =>
  new Intl.ListFormat(intlLocale(), { type }).format(words);
