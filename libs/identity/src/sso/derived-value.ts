import { createHmac } from 'node:crypto';

/** Derived values need no store, and one of them reveals nothing about the others. */
export const derivedValue = (browserSecret: string, what: 'state' | 'nonce' | 'verifier' | 'request'): string =>
  createHmac('sha256', browserSecret).update(what).digest('base64url');

/** A value that the provider returns unchanged with its response, which connects the response to the login. */
export const ssoState = (browserSecret: string): string => derivedValue(browserSecret, 'state');
