/** What both sides of NTLM can agree upon (MS-NLMP, 2.2.2.5). */
export const FLAG = {
  unicode: 0x1,
  requestTarget: 0x4,
  sign: 0x10,
  seal: 0x20,
  ntlm: 0x200,
  alwaysSign: 0x8000,
  extendedSecurity: 0x80000,
  targetInfo: 0x800000,
  version: 0x2000000,
  key128: 0x20000000,
  keyExchange: 0x40000000,
} as const;

/** All that is asked for. Weak keys are not. */
export const WANTED = Object.values(FLAG).reduce((all, flag) => (all | flag) >>> 0, 0);

export const has = (flags: number, flag: number): boolean => (flags & flag) !== 0;

/** What a server has to agree to so that messages can be encrypted. */
export const canSeal = (flags: number): boolean =>
  [FLAG.seal, FLAG.sign, FLAG.extendedSecurity, FLAG.key128, FLAG.keyExchange].every((flag) => has(flags, flag));
