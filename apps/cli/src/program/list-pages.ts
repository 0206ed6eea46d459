import { wholeNumber } from './common-options';

/** How many a list shows: a number from 1, or -1 for all. */
export const lastCount = (text: string): number => (text === '-1' ? -1 : wholeNumber(1)(text));

/** Says that there are more. @param noun one of what was listed @param nouns several of them */
export const moreNote = (count: number, noun: string, nouns = `${noun}s`): string =>
  count === 1
    ? `Note: Only one ${noun} is displayed. Use -n/--last flag for more results.`
    : `Note: Only first ${count} ${nouns} are displayed. Use -n/--last flag for more results.`;

/** What to ask the server for, so that these columns can be shown. @returns undefined for everything */
export const attributesFor = (
  asked: readonly string[] | undefined,
  columns: readonly string[],
): string[] | undefined =>
  asked?.includes('all') ? undefined : [...new Set((asked ?? columns).map((path) => path.split(/[.[]/)[0] ?? path))];
