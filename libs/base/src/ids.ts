import { randomBytes } from 'node:crypto';
import { SECOND_MS } from './units';

/** 24 hexadecimal digits: seconds, five random bytes per process, a counter. Ids of one process sort by creation. */
export type Id = string;

const PROCESS_PART = randomBytes(5).toString('hex');
const SECONDS_DIGITS = 8;
let counter = randomBytes(3).readUIntBE(0, 3);

/** A new id in the form of a MongoDB ObjectId. */
export function newId(): Id {
  counter = (counter + 1) % 0x1000000;
  return earliestId(Date.now()) + PROCESS_PART + counter.toString(16).padStart(6, '0');
}

/** Sorts before all ids that were made in this second or later. @param timeMs milliseconds since 1970 */
export const earliestId = (timeMs: number): string =>
  Math.floor(Math.max(0, timeMs) / SECOND_MS)
    .toString(16)
    .padStart(SECONDS_DIGITS, '0');

/** When an id was made, by the clock of its process: the start of that second, in milliseconds since 1970. */
export const timeOfId = (id: Id): number => Number.parseInt(id.slice(0, SECONDS_DIGITS), 16) * SECOND_MS;

export const isId = (text: string): text is Id => /^[0-9a-f]{24}$/i.test(text);

/** A random lower-case hexadecimal string of the given length. */
export const randomHex = (digits: number): string =>
  randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits);
