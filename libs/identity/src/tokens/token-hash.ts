import { createHash } from 'node:crypto';

/** What is stored of a token. Tokens are random, so a plain hash without salt cannot be reversed. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');
