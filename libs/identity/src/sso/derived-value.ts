import { createHmac } from 'node:crypto';

/** Needs no store this way, and whoever sees one of the values learns nothing about the others. */
export const derivedValue = (browserSecret: string, what: 'state' | 'nonce' | 'verifier' | 'request'): string =>
  createHmac('sha256', browserSecret).update(what).digest('base64url');

/** What the provider sends back unchanged with its response, so that the two belong together. */
export const ssoState = (browserSecret: string): string => derivedValue(browserSecret, 'state');
