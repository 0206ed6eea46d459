import { randomBytes } from 'node:crypto';

/** 24 hexadecimal digits: seconds, five random bytes per process, a counter. Ids of one process sort by creation. */
export type Id = string;

const PROCESS_PART = randomBytes(5).toString('hex');
let counter = randomBytes(3).readUIntBE(0, 3);

/** A new id in the form of a MongoDB ObjectId. */
export function newId(): Id {
  counter = (counter + 1) % 0x1000000;
  const seconds = Math.floor(Date.now() / 1000)
    .toString(16)
    .padStart(8, '0');
  return seconds + PROCESS_PART + counter.toString(16).padStart(6, '0');
}

export const isId = (text: string): text is Id => /^[0-9a-f]{24}$/i.test(text);

/** A random lower-case hexadecimal string of the given length. */
export const randomHex = (digits: number): string =>
  randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits);
