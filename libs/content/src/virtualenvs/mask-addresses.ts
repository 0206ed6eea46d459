/** `https://user:password@host` and `https://token@host` without what is before the `@`. */
export const maskAddresses = (text: string): string =>
  text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s@'"]*@/gi, '$1********@');
