import type { Browser, Page } from 'playwright-core';
import { BROWSER_PATIENCE_MS, missingBrowser, startBrowser } from '../system/browser-process';
import { settled, type Bench } from './bench';
import { NOOP } from './job-scenarios';
import { median, type Measurement } from './measurement';
import { probePage, type PageProbe } from './page-probe';
import { fillExecutions } from './stored-executions';
import { submitEvenly } from './stream-scenario';
import { openReaders } from './stream-readers';
import { runJobs } from './submit';
import { localOf } from './target';
import { nested, ofWorkflow, withWorkflows } from './workflows';

const LOADS = 5;
const EVENTS_PER_SECOND = 50;
const LIVE_SECONDS = 3600;
const FEWEST_LIVE_SECONDS = 5;
/** How often the memory is read while the list is live. */
const READINGS = 6;
const SAMPLE = 20;
const SCROLL_SECONDS = 10;
/** A wheel that is turned steadily, and a dragged scroll bar. */
const SCROLL_SPEEDS = [3000, 30_000];
const BYTES_PER_KB = 1000;
const REASON = 'the disk is full';

const FORM = 'input[name=password], input[type=password]';
const ROW = '[role=listitem] a';
const LIST = '[role=list][aria-label=Executions]';

/** The console in a browser: its first load, the scrolling of a long list, and an hour with a live list. */
export async function consoleScenario(bench: Bench): Promise<Measurement[]> {
  const missing = missingBrowser();
  if (missing !== undefined) throw new Error(`${missing}; install chromium-headless-shell.`);
  await runJobs(bench.api, NOOP, 1, 1);
  await bench.restart(() => fillExecutions(localOf(bench.system), bench.stored));
  const browser = await startBrowser();
  try {
    const { page, probe } = await openPage(browser);
    const loads = await firstLoads(bench, page, probe);
    const cause = await causeFound(bench, page);
    await page.goto(`${bench.system.api}/#/history`);
    await page.locator(ROW).first().waitFor();
    const scrolls: Measurement[] = [];
    for (const speed of SCROLL_SPEEDS) scrolls.push(await scrolled(probe, bench.stored, speed));
    await page.reload();
    await page.locator(ROW).first().waitFor();
    return [...loads, cause, ...scrolls, ...(await live(bench, probe))];
  } finally {
    await browser.close();
  }
}

async function openPage(browser: Browser): Promise<{ page: Page; probe: PageProbe }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(BROWSER_PATIENCE_MS);
  const page = await context.newPage();
  return { page, probe: await probePage(page) };
}

/** The login, and the history of somebody who is logged in, each with nothing in the cache of the browser. */
async function firstLoads({ system, stored }: Bench, page: Page, probe: PageProbe): Promise<Measurement[]> {
  const login = await loaded(page, probe, `${system.api}/`, FORM);
  await page.getByLabel('User').fill('testu');
  await page.getByRole('textbox', { name: 'Password' }).fill('testp');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const history = await loaded(page, probe, `${system.api}/#/history`, ROW);
  return [
    { what: 'first load of the login', figures: login },
    { what: `first load of the history of ${stored} executions`, figures: history },
  ];
}

/** The middle of several loads. */
async function loaded(
  page: Page,
  probe: PageProbe,
  address: string,
  selector: string,
): Promise<Measurement['figures']> {
  const loads: Record<string, number>[] = [];
  for (let load = 0; load < LOADS; load++) {
    // Otherwise, only the fragment changes.
    await page.goto('about:blank');
    await probe.forgetFiles();
    probe.takeBytes();
    await probe.takeCpuMs();
    await page.goto(address);
    const interactiveMs = await probe.interactiveMs(selector);
    const { count, longestMs, totalMs } = await probe.takeLongTasks();
    const { files, data } = probe.takeBytes();
    loads.push({
      'kB of files': files / BYTES_PER_KB,
      'kB of data': data / BYTES_PER_KB,
      'interactive ms': interactiveMs,
      'CPU ms': await probe.takeCpuMs(),
      'long tasks': count,
      'longest task ms': longestMs,
      'long tasks ms': totalMs,
    });
  }
  return Object.fromEntries(
    Object.keys(loads[0] ?? {}).map((name) => [name, median(loads.map((each) => each[name] ?? Number.NaN))]),
  );
}

/** From the overview to what made a workflow fail, two levels below it. */
async function causeFound(bench: Bench, page: Page): Promise<Measurement> {
  const failing = nested(2, `core.local cmd="echo ${REASON} >&2; exit 3"`, 'bench_failing');
  await withWorkflows(bench, [failing]);
  await runJobs(bench.api, ofWorkflow(failing), 1, 1);
  const times: number[] = [];
  for (let visit = 0; visit < LOADS; visit++) {
    // Otherwise, the page knows the answer from the last visit.
    await page.goto('about:blank');
    await page.goto(`${bench.system.api}/#/`);
    const failure = page.getByRole('link', { name: new RegExp(`failed .*${failing.name}`) }).first();
    await failure.waitFor();
    const start = performance.now();
    await failure.click();
    await page.getByText(REASON).first().waitFor();
    times.push(performance.now() - start);
  }
  return { what: 'from the overview to the cause of a failure', figures: { clicks: 1, ms: median(times) } };
}

async function scrolled(probe: PageProbe, stored: number, speed: number): Promise<Measurement> {
  await probe.takeLongTasks();
  await probe.takeCpuMs();
  const { perSecond, p95Ms, longestMs } = await probe.scroll(LIST, speed, SCROLL_SECONDS);
  const { count, longestMs: longestTask } = await probe.takeLongTasks();
  return {
    what: `scrolling ${stored} executions, ${speed} pixels per second`,
    figures: {
      'frames per second': perSecond,
      'CPU ms each frame': (await probe.takeCpuMs()) / (perSecond * SCROLL_SECONDS),
      'p95 frame ms': p95Ms,
      'longest frame ms': longestMs,
      'long tasks': count,
      'longest task ms': longestTask,
    },
  };
}

/** The history while executions run: its memory at the start and from time to time, and how often it does not react. */
async function live(bench: Bench, probe: PageProbe): Promise<Measurement[]> {
  const seconds = Math.max(FEWEST_LIVE_SECONDS, LIVE_SECONDS * bench.scale);
  const readers = await openReaders({ url: `${bench.system.stream}/v1/stream`, headers: bench.api.headers, count: 1 });
  try {
    await runJobs(bench.api, NOOP, SAMPLE, 1);
    await settled();
    const sample = (await readers.received()).events;
    await probe.takeLongTasks();
    await probe.takeCpuMs();
    const rows: Measurement[] = [{ what: 'live list, start', figures: await memoryFigures(probe) }];
    for (let reading = 1; reading <= READINGS; reading++) {
      const before = await readers.received();
      const start = performance.now();
      await submitEvenly(bench, (EVENTS_PER_SECOND * SAMPLE) / sample, seconds / READINGS);
      const lasted = (performance.now() - start) / 1000;
      const { events } = await readers.received();
      const { count, longestMs, totalMs } = await probe.takeLongTasks();
      rows.push({
        what: `live list, after ${((seconds * reading) / READINGS).toFixed(1)} s`,
        figures: {
          ...(await memoryFigures(probe)),
          'events per second': (events - before.events) / lasted,
          'CPU ms each second': (await probe.takeCpuMs()) / lasted,
          'long tasks': count,
          'longest task ms': longestMs,
          'long tasks ms': totalMs,
        },
      });
    }
    return rows;
  } finally {
    await readers.close();
  }
}

async function memoryFigures(probe: PageProbe): Promise<Measurement['figures']> {
  const { heapMb, nodes } = await probe.memory();
  return { 'heap MB': heapMb, nodes };
}
