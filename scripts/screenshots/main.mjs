// `npm run screenshots [PAGE…]`: takes the screenshots in docs/images of the console, of a system that it starts and fills.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import '../prepare.mjs';
import { fillSystem } from './content.mjs';
import { shownPages } from './pages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
const UPNG = require('upng-js');
const { startSystem } = require(`${root}test/dist/system/system-process.js`);
const { login } = require(`${root}test/dist/system/api-caller.js`);
const { missingBrowser, startBrowser } = require(`${root}test/dist/system/browser-process.js`);

/** Larger ones would make every clone of the repository slow. */
const MOST_BYTES = 60_000;

const PACKS = {
  github: ['Repositories, issues and pull requests', '2.1.4'],
  kubernetes: ['Deployments, jobs and pods', '1.3.0'],
  postgresql: ['Queries and backups', '0.9.2'],
};

/** A page has few colours, apart from the smooth edges of its letters. */
const COLORS = 64;

const wanted = process.argv.slice(2);
const index = createServer((_, response) => response.end(JSON.stringify({ packs: packsOfIndex() })));
await once(index.listen(0, '127.0.0.1'), 'listening');
const config = `[content]\nindex_url = http://127.0.0.1:${index.address().port}/index.json`;
const system = await startSystem({ config });
try {
  const api = await login(system.api, system.auth);
  const ids = await fillSystem(api);
  api.close();
  await takeAll(shownPages(ids).filter(({ name }) => wanted.length === 0 || wanted.includes(name)));
} finally {
  index.close();
  await system.stop();
}

function packsOfIndex() {
  return Object.fromEntries(
    Object.entries(PACKS).map(([ref, [description, version]]) => [
      ref,
      { ref, name: ref, description, version, author: 'Example', email: '', repo_url: `https://git.example/${ref}` },
    ]),
  );
}

async function takeAll(pages) {
  const missing = missingBrowser();
  if (missing) throw new Error(`${missing}.`);
  const browser = await startBrowser();
  const context = await browser.newContext({
    ...{ viewport: { width: 1120, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce' },
    ...{ locale: 'en-GB', timezoneId: 'UTC' },
  });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  await page.goto(system.api);
  await page.getByLabel('User').fill('testu');
  await page.getByRole('textbox', { name: 'Password' }).fill('testp');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  try {
    for (const each of pages) {
      await take(page, each).catch((error) => {
        console.error(`${each.name}: ${error.message}`);
        process.exitCode = 1;
      });
    }
  } finally {
    await browser.close();
  }
}

async function take(page, { name, path, ready }) {
  await page.goto(`${system.api}/#${path}`);
  await ready(page);
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await page.mouse.move(0, 0);
  // Nothing loads and nothing moves any more.
  await page.waitForFunction(
    () =>
      document.querySelector('.mantine-Loader-root') === null &&
      document
        .getAnimations()
        .every(({ effect, playState }) => playState !== 'running' || effect.getComputedTiming().endTime === Infinity),
  );
  // What has changed last is drawn.
  await page.evaluate(
    () =>
      new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(drawn)))),
  );
  const file = `${root}docs/images/console-${name}.png`;
  const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const picture = withFewColors(taken);
  writeFileSync(file, picture);
  const size = picture.length;
  console.log(`${name}: ${size} bytes`);
  if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes: expected at most ${MOST_BYTES}.`);
}

/** The same picture, with a palette. */
function withFewColors(png) {
  const { width, height, ...picture } = UPNG.decode(png);
  return Buffer.from(UPNG.encode(UPNG.toRGBA8({ width, height, ...picture }), width, height, COLORS));
}
