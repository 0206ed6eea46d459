/// <reference types="jest" />

import { readFileSync } from 'node:fs';
import type axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { BROWSER_PATIENCE_MS, missingBrowser, startBrowser } from '../system/browser-process';
import { startSystem, type SystemOptions, type SystemProcess } from '../system/system-process';

/** The small build of the library, which each page has to parse. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Whether there is a browser for the stories. In CI there has to be one. */
function hasBrowser(): boolean {
  const missing = missingBrowser();
  if (missing === undefined) return true;
  if (process.env['CI'] === 'true') throw new Error(`${missing}; install chromium-headless-shell.`);
  console.log(`${missing}, so the stories of the web console are skipped.`);
  return false;
}

/** The context of a story: a system, which the story may replace, and a browser. */
export interface Site {
  system: SystemProcess;
  readonly browser: Browser;
}

/**
 * Describes stories of the console on a system and a browser of their own. They are skipped where there is no browser.
 * @param options of the system, or a function that prepares what the system needs and returns them
 */
export function describeStories(
  title: string,
  stories: (siteOf: () => Site) => void,
  options: SystemOptions | (() => Promise<SystemOptions>) = {},
): void {
  const described = hasBrowser() ? describe : describe.skip;
  described(title, () => {
    let site: Site | undefined;
    beforeAll(async () => {
      const prepared = typeof options === 'function' ? await options() : options;
      const [system, browser] = await Promise.all([startSystem(prepared), startBrowser()]);
      site = { system, browser };
    });
    afterAll(async () => {
      await site?.browser.close();
      await site?.system.stop();
    });
    afterEach(() => Promise.all(site!.browser.contexts().map(closed)));
    stories(() => site!);
  });
}

/** A request that a story answers itself may still be under way. */
async function closed(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}

/** A tab, and the errors that the page reports: of scripts and of the content security policy. */
export interface Visit {
  readonly page: Page;
  readonly errors: readonly string[];
}

export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(BROWSER_PATIENCE_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (400|401|404)|ERR_CONNECTION|ERR_INCOMPLETE/.test(message.text()))
      errors.push(message.text());
  });
  return { page, errors };
}

export async function logIn(page: Page, address: string, user?: string, password?: string): Promise<void> {
  await page.goto(address);
  await enterCredentials(page, user, password);
  await page.getByRole('heading', { level: 1, name: /^(Overview|History)$/ }).waitFor();
}

/** Fills in the login that the page shows. */
export async function enterCredentials(page: Page, user = 'testu', password = 'testp'): Promise<void> {
  await page.getByLabel('User').fill(user);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/**
 * The findings of an accessibility check of the page, as lines. What fades in or out has little contrast meanwhile.
 * @param only the rule to check; all by default
 */
export async function accessibilityFindings(page: Page, only?: string): Promise<string[]> {
  await page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const ending = () => document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
    // A change of the theme is drawn, and begins to fade, after some frames.
    for (let quiet = 0; quiet < 3; quiet = ending().length === 0 ? quiet + 1 : 0) await frame();
  })()`);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(only && { runOnly: [only] }) } satisfies axe.RunOptions;
  // Runs in the browser, where the library has added its global.
  const found = await page.evaluate((given) => (globalThis as unknown as { axe: typeof axe }).axe.run(given), options);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Checks the page in both themes, which differ in their colours only. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const [colorScheme, only] of [['dark', 'color-contrast'], ['light']] as const) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await accessibilityFindings(page, only)]).toEqual([colorScheme, []]);
  }
}

/** Posts to the API as the user of the page. */
export async function postAs(page: Page, url: string, body: object): Promise<{ id: string; web_url: string }> {
  const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('switchyard.session')!).token as string);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as { id: string; web_url: string };
}
