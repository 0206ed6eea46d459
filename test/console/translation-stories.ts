import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { ROOT } from '../system/system-process';
import { enterCredentials, expectAccessible, visit, type Site, type Visit } from './browser';

const SOURCES = ['src', 'index.html', 'messages.mjs', 'tsconfig.json', 'vite.config.mjs'];

/** Builds a copy of the console to which a translator has added a language: each text in brackets. @returns its folder */
async function buildTranslated(language: string): Promise<string> {
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, '.cache/console-'));
  await Promise.all(
    SOURCES.map((name) => cp(join(ROOT, 'apps/console', name), join(folder, name), { recursive: true })),
  );
  const template = await readFile(join(folder, 'src/locales/messages.pot'), 'utf8');
  await writeFile(join(folder, `src/locales/${language}.po`), inBrackets(template));
  await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', folder]);
  return folder;
}

/** Gives each message of a catalogue a translation. The first entry is the head. */
const inBrackets = (template: string): string =>
  template.replace(/^msgid ((?:".*"\n)+)msgstr ""\n/gm, (entry, id: string, at: number) => {
    const text = [...id.matchAll(/"(.*)"/g)].map(([, part]) => part).join('');
    return at === 0 || text === '' ? entry : `msgid ${id}msgstr "⟦${text}⟧"\n`;
  });

/** The names of controls, headings and columns that are not in brackets. Data and the names of keys begin with small letters. */
async function bareTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => [
    ...[...document.querySelectorAll('h1, h2, h3, th, label, nav a, button')].map((each) => each.textContent ?? ''),
    ...['aria-label', 'placeholder', 'title'].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].map((each) => each.getAttribute(name) ?? ''),
    ),
  ]);
  return texts.filter((text) => /^[A-Z]/.test(text.trim()) && !text.includes('⟦'));
}

export function translationStories(siteOf: () => Site): void {
  let folder: string | undefined;
  beforeAll(async () => {
    folder = await buildTranslated('de');
  });
  afterAll(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  /** A tab that gets the translated console, with the headers and the API of the system. */
  async function visitTranslated(locale: string): Promise<Visit> {
    const index = await fetch(siteOf().system.api, { headers: { accept: 'text/html' } });
    const policy = index.headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self'");
    const opened = await visit(siteOf().browser, { locale });
    await opened.page.route(
      ({ pathname }) => pathname === '/' || pathname.startsWith('/assets/'),
      (route) => {
        const { pathname } = new URL(route.request().url());
        const path = join(folder!, 'dist/site', pathname === '/' ? 'index.html' : pathname);
        return route.fulfill({ path, headers: { 'content-security-policy': policy! } });
      },
    );
    return opened;
  }

  it('shows a form, the history and a message in the language of the browser, once it has a file', async () => {
    const { page, errors } = await visitTranslated('de-AT');
    await page.goto(`${siteOf().system.api}/#/actions/core.echo`);
    await page.getByLabel('⟦User⟧').fill('testu');
    await page.getByRole('textbox', { name: '⟦Password⟧' }).fill('testp');
    await page.getByRole('button', { name: '⟦Log in⟧' }).click();
    const run = page.getByRole('button', { name: '⟦Run⟧', exact: true });
    await run.click();
    await page.getByText('⟦A value is required.⟧').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('textbox', { name: 'message' }).fill('translated');
    await run.click();
    await page.waitForURL(/#\/history\/[0-9a-f]{24}/);

    await page.goto(`${siteOf().system.api}/#/history?action=core.echo`);
    await page.getByRole('heading', { name: '⟦History⟧' }).waitFor();
    await page.getByText(/^⟦\d+ executions?⟧$/).waitFor();
    await page
      .getByText(/^(jetzt|vor \d+ Sekunden?)$/)
      .first()
      .waitFor();
    expect(await bareTexts(page)).toEqual([]);
    await expectAccessible(page);

    await page.goto(`${siteOf().system.api}/#/datastore`);
    await page.getByRole('button', { name: '⟦Add an item⟧' }).click();
    await page.getByRole('textbox', { name: '⟦Name⟧', exact: true }).fill('translated');
    await page.getByRole('textbox', { name: '⟦Value⟧' }).fill('1');
    await page.getByRole('button', { name: '⟦Save⟧' }).click();
    await page.getByText('⟦translated has its new value.⟧').waitFor();
    expect(errors).toEqual([]);
  });

  it('is English in a browser whose languages have no file', async () => {
    const { page, errors } = await visitTranslated('nb-NO');
    await page.goto(`${siteOf().system.api}/#/`);
    await enterCredentials(page);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(errors).toEqual([]);
  });
}
