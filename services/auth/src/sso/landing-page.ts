import { randomBytes } from 'node:crypto';
import type { RouteResponse } from '@switchyard/http';

/** The storage key of the session in StackStorm's web console. */
const STORAGE_KEY = 'st2Session';

/** Stores the token for the web console and opens the console, which must have the same origin as this page. */
const SCRIPT = `
const { token, returnTo } = JSON.parse(document.getElementById('login').textContent);
let session = {};
try { session = JSON.parse(localStorage.getItem('${STORAGE_KEY}')) ?? {}; } catch {}
localStorage.setItem('${STORAGE_KEY}', JSON.stringify({ ...session, token }));
location.replace(returnTo);
`;

/**
 * The last page of a login. Values in it are data, never code. @param returnTo a checked address
 */
export function landingPage(token: object, returnTo: string): Pick<RouteResponse, 'text' | 'headers'> {
  const nonce = randomBytes(16).toString('base64');
  const data = JSON.stringify({ token, returnTo }).replaceAll('<', '\\u003c');
  return {
    text:
      '<!doctype html><meta charset="utf-8"><title>Logged in</title><p>Logged in.</p>' +
      `<script type="application/json" id="login" nonce="${nonce}">${data}</script><script nonce="${nonce}">${SCRIPT}</script>`,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': `default-src 'none'; script-src 'nonce-${nonce}'; frame-ancestors 'none'`,
    },
  };
}
