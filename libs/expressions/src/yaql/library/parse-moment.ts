import { type DateTime, dateTimeOf, daysIn } from '../values/date-time';
import { YaqlFailure } from '../values/failure';
import { type FoundParts, readNext } from './moment-readers';

const LONGEST = 200;

/**
 * Reads ISO 8601 and the usual English forms of dates. Ambiguous numbers are month first; a missing date is today's, a
 * missing time midnight, a missing zone UTC.
 * @throws ParserError
 */
export function parseMoment(text: string): DateTime {
  const found: FoundParts = {};
  let rest = text.trim();
  if (rest.length > LONGEST) throw unknownFormat(text);
  while (rest !== '') {
    const used = readNext(found, rest);
    if (used === 0) throw unknownFormat(text);
    rest = rest.slice(used);
  }
  if (Object.keys(found).length === 0) throw new YaqlFailure('ParserError', `String does not contain a date: ${text}`);
  try {
    return momentFrom(found);
  } catch (error) {
    throw error instanceof YaqlFailure ? new YaqlFailure('ParserError', `${error.message}: ${text}`) : error;
  }
}

const unknownFormat = (text: string) => new YaqlFailure('ParserError', `Unknown string format: ${text}`);

function momentFrom(found: FoundParts): DateTime {
  const now = new Date();
  const year = found.year ?? now.getUTCFullYear();
  const month = found.month ?? now.getUTCMonth() + 1;
  // A day that is only today's must not make the date wrong.
  const day = found.day ?? Math.min(now.getUTCDate(), daysIn(year, month));
  const hour = found.hour ?? 0;
  const { minute = 0, second = 0, microsecond = 0, afternoon, offsetMicros = 0n } = found;
  const clock = afternoon === undefined ? hour : (hour % 12) + (afternoon ? 12 : 0);
  return dateTimeOf({ year, month, day, hour: clock, minute, second, microsecond }, offsetMicros);
}
