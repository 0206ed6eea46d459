/** Replaces every secret that would be shown. */
export const MASK = '********';
