import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The shell has no windows, so it starts and draws with less processor time. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

const CHROMIUM = process.env['SVC_TEST_CHROMIUM'] ?? BROWSERS.find((path) => existsSync(path));

/** Long enough for a busy machine. */
export const BROWSER_PATIENCE_MS = 120_000;

/** Why no browser can be started; undefined if one can. */
export const missingBrowser = (): string | undefined =>
  CHROMIUM !== undefined && existsSync(CHROMIUM)
    ? undefined
    : `There is no browser at ${CHROMIUM ?? BROWSERS.join(' or ')}`;

/**
 * The sandbox of the browser does not work for root. Certificates of tests are signed by themselves; a context that ignores
 * their errors makes Chromium restart requests, up to 32 times, and sometimes fail with ERR_TOO_MANY_RETRIES.
 */
const ARGUMENTS = ['--no-sandbox', '--ignore-certificate-errors'];

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM!, args: ARGUMENTS, timeout: BROWSER_PATIENCE_MS });
