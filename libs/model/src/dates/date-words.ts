const table = (...names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.flatMap((all, index) => all.split(' ').map((name) => [name, index] as const)));

const WEEKDAYS = table('mon monday', 'tue tuesday', 'wed wednesday', 'thu thursday', 'fri friday', 'sat saturday', 'sun sunday'); // oxfmt-ignore
const MONTHS = table(
  'jan january', 'feb february', 'mar march', 'apr april', 'may', 'jun june', 'jul july', 'aug august', 'sep sept september',
  'oct october', 'nov november', 'dec december',
); // oxfmt-ignore
const UNITS = table('h hour hours', 'm minute minutes', 's second seconds');
const HALVES = table('am a', 'pm p');
const FILLERS = new Set([
  ' ',
  '.',
  ',',
  ';',
  '-',
  '/',
  "'",
  'at',
  'on',
  'and',
  'ad',
  'm',
  't',
  'of',
  'st',
  'nd',
  'rd',
  'th',
]);

const find = (words: ReadonlyMap<string, number>) => (token: string | undefined) =>
  token === undefined ? undefined : words.get(token.toLowerCase());

/** Monday is 0. */
export const weekdayOf = find(WEEKDAYS);
const monthIndex = find(MONTHS);
/** January is 1. */
export const monthOf = (token: string | undefined): number | undefined => {
  const index = monthIndex(token);
  return index === undefined ? undefined : index + 1;
};
/** 0 for hours, 1 for minutes, 2 for seconds. */
export const timeUnitOf = find(UNITS);
/** 0 for the morning, 1 for the afternoon. */
export const halfOfDay = find(HALVES);

export const isFiller = (token: string | undefined): boolean => token !== undefined && FILLERS.has(token.toLowerCase());
export const isUtcName = (token: string): boolean => /^(?:utc|gmt|z)$/i.test(token);
export const isZoneName = (token: string | undefined): boolean => /^(?:[A-Z]{1,5}|z)$/.test(token ?? '');
