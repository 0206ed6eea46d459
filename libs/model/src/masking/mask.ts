/** Replaces every secret that would be shown. */
export const MASK = '********';

/** Masks credentials in `https://user:password@host` and `https://token@host`. */
export const maskAddresses = (text: string): string =>
  text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s@'"]*@/gi, `$1${MASK}@`);
