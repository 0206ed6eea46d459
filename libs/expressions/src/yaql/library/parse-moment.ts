import { completeDate, readDate } from '@switchyard/model';
import { type DateTime, dateTimeOf } from '../values/date-time';
import { YaqlFailure } from '../values/failure';
import { SECOND } from '../values/time-span';

const LONGEST = 200;

/**
 * Parses the notations of `readDate`. A missing date is today, a missing time midnight, a missing zone UTC.
 * @throws ParserError
 */
export function parseMoment(text: string): DateTime {
  const today = new Date();
  const found = text.length > LONGEST ? undefined : readDate(text, today.getUTCFullYear());
  if (found === undefined) throw new YaqlFailure('ParserError', `Unknown string format: ${text}`);
  if (Object.keys(found).length === 0) throw new YaqlFailure('ParserError', `String does not contain a date: ${text}`);
  const { offsetSeconds, ...parts } = completeDate(found, today);
  try {
    return dateTimeOf(parts, BigInt(offsetSeconds) * SECOND);
  } catch (error) {
    throw error instanceof YaqlFailure ? new YaqlFailure('ParserError', `${error.message}: ${text}`) : error;
  }
}
