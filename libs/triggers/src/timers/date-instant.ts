import { MS_MICROS, SECOND_MICROS, SECOND_MS, type Micros } from '@switchyard/base';
import { parseDate } from '@switchyard/model';
import type { Zone } from './zone';

/** A time of day with an offset from UTC behind it, in the spellings that `parseDate` reads. */
const HAS_OFFSET =
  /(?::\d{2}(?:[.,]\d{1,9})?|\d(?=\s*[ap]m)|^\d{8}T\d{4}(?:\d{2})?)\s*(?:[ap]m)?\s*(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)(?![\w:])/i;

/**
 * When a date timer fires. A date with an offset means that; any other is a reading of the clocks of a zone.
 * @param today completes a date of which something is missing
 * @returns undefined for a text that is no date
 */
export function dateInstant(text: string, zone: Zone, today: Micros): Micros | undefined {
  if (HAS_OFFSET.test(text.trim())) return parseDate(text, today);
  const wallToday = today + zone.offsetAt(Math.floor(today / MS_MICROS)) * MS_MICROS;
  const wall = parseDate(text, wallToday);
  if (wall === undefined) return undefined;
  const seconds = Math.floor(wall / SECOND_MICROS);
  return zone.read(seconds * SECOND_MS).at * MS_MICROS + (wall - seconds * SECOND_MICROS);
}
