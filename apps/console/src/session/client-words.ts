import { t } from '@lingui/core/macro';

/** In this order: most browsers also name the ones that they resemble. */
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdgA?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* .*\bSafari\//],
];

const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

/** `Firefox 140 on Windows`; the name itself for clients that are no browsers, such as `svc/0.1.0`. */
export function clientWords(userAgent: string): string {
  if (!userAgent.startsWith('Mozilla/')) return userAgent;
  const [browser, version] =
    BROWSERS.flatMap(([name, pattern]) => {
      const [, found] = pattern.exec(userAgent) ?? [];
      return found === undefined ? [] : [[name, found] as const];
    })[0] ?? [];
  if (browser === undefined) return userAgent;
  const [system] = SYSTEMS.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  const named = `${browser} ${version ?? ''}`;
  return system === undefined ? named : t`${named} on ${system}`;
}
