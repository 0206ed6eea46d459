import type { RouteResponse } from '@switchyard/http';

/** Asks for the code that `svc login --sso --device` shows. */
export const codePage = (): RouteResponse =>
  page(
    'Log in to svc',
    '<form><p><label>Enter the code that <code>svc login</code> shows:</label></p>' +
      '<p><input name="code" autocomplete="off" autofocus required> <button>Continue</button></p></form>',
  );

/**
 * Asks whether the user has started the login. Otherwise, somebody who sends them a link could get their token.
 * @param secret proves that this page was shown
 */
export const confirmPage = (user: string, code: string, secret: string): RouteResponse =>
  page(
    'Log in to svc?',
    `<p>The command <code>svc login</code> wants to log in as <b>${escaped(user)}</b>. It must show this code:</p>` +
      `<p><b><code>${escaped(code)}</code></b></p>` +
      '<p>Did you start it, and does it show the same code? If not, close this page: somebody else would be logged in as you.</p>' +
      `<form method="post" action="terminal"><input type="hidden" name="secret" value="${escaped(secret)}">` +
      '<button>The codes are the same: log in</button></form>',
  );

export const donePage = (user: string): RouteResponse =>
  page('Logged in', `<p>Logged in as <b>${escaped(user)}</b>. Go back to <code>svc</code>, and close this page.</p>`);

/** Other sites must not show the page in a frame and trick the user into clicking on it. */
const HEADERS = {
  'Content-Type': 'text/html; charset=UTF-8',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
};

/** @param content HTML with escaped values */
const page = (title: string, content: string): RouteResponse => ({
  status: 200,
  text: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${content}`,
  headers: HEADERS,
});

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (symbol) => ENTITIES[symbol] as string);
