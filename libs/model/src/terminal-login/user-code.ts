import { createHash } from 'node:crypto';

/** The public code of a terminal login, derived from its secret. Only the command that has the secret can fetch the
 * token. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** Crockford's alphabet: no letter looks like a digit. */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 60 bits, so that somebody who has seen a code cannot find another secret with the same code. */
const LENGTH = 12;
const GROUP = /.{4}(?=.)/g;

/** The code of a challenge, for people to compare and type: `7WGC-K2PD-09XM`. */
export function userCodeOf(challenge: string): string {
  const digest = createHash('sha256').update(challenge).digest().subarray(0, LENGTH);
  return [...digest]
    .map((byte) => SYMBOLS[byte % SYMBOLS.length])
    .join('')
    .replace(GROUP, '$&-');
}

/** A code as people type it: in any case, with or without hyphens and spaces. @returns undefined for anything else */
export function readUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  if (code.length !== LENGTH || [...code].some((symbol) => !SYMBOLS.includes(symbol))) return undefined;
  return code.replace(GROUP, '$&-');
}
