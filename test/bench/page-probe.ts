import type { CDPSession, Page } from 'playwright-core';

/** Tasks of the main thread above 50 ms, during which a page does not react. */
export interface LongTasks {
  readonly count: number;
  readonly longestMs: number;
  readonly totalMs: number;
}

/** Milliseconds between the frames of a while. */
export interface Frames {
  readonly perSecond: number;
  readonly p95Ms: number;
  readonly longestMs: number;
}

export interface Transferred {
  /** Of the files of the console. */
  files: number;
  /** Of the responses of the API. */
  data: number;
}

interface ProbeTask {
  readonly start: number;
  readonly ms: number;
}

/** Runs in each page before its own scripts. Times are milliseconds since the page began to load. */
const PROBE = `
  globalThis.probe = { tasks: [] };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) probe.tasks.push({ start: startTime, ms: duration });
  }).observe({ type: 'longtask', buffered: true });
`;

/** What is measured in a page of the console. */
export interface PageProbe {
  /** Milliseconds from the start of the load until an element is there and no long task is in progress. */
  interactiveMs(selector: string): Promise<number>;
  /** The long tasks since the load, or since the last call. */
  takeLongTasks(): Promise<LongTasks>;
  /** Bytes of all responses since the last call, as they were transferred, with their headers. */
  takeBytes(): Transferred;
  /** Milliseconds of processor time that the main thread of the page has used since the last call. */
  takeCpuMs(): Promise<number>;
  /** Megabytes of the objects that are left after a garbage collection, and the number of nodes. */
  memory(): Promise<{ heapMb: number; nodes: number }>;
  /** Scrolls an element down at a constant speed, and counts the frames. */
  scroll(selector: string, pixelsPerSecond: number, seconds: number): Promise<Frames>;
  /** Makes the next load read everything from the server. */
  forgetFiles(): Promise<void>;
}

const BYTES_PER_MB = 1024 * 1024;
/** A task that was in progress when the element appeared is reported when it ends. */
const AFTER_MS = 500;

export async function probePage(page: Page): Promise<PageProbe> {
  const session = await page.context().newCDPSession(page);
  const bytes = await countBytes(session);
  // A busy machine changes the time that a page takes, but not its processor time.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  let cpuMs = 0;
  await session.send('HeapProfiler.enable');
  await page.addInitScript({ content: PROBE });
  return {
    async interactiveMs(selector) {
      await page.locator(selector).first().waitFor();
      return page.evaluate<number>(interactive(AFTER_MS));
    },
    async takeLongTasks() {
      const tasks = await page.evaluate<ProbeTask[]>('probe.tasks.splice(0)');
      const times = tasks.map(({ ms }) => ms);
      return {
        count: times.length,
        longestMs: Math.max(0, ...times),
        totalMs: times.reduce((sum, ms) => sum + ms, 0),
      };
    },
    takeBytes() {
      const taken = { ...bytes };
      Object.assign(bytes, { files: 0, data: 0 });
      return taken;
    },
    async takeCpuMs() {
      const before = cpuMs;
      cpuMs = 1000 * (await metric(session, 'TaskDuration'));
      return cpuMs - before;
    },
    memory: () => memoryOf(session),
    scroll: (selector, speed, seconds) => page.evaluate<Frames>(scrolling(selector, speed, seconds)),
    async forgetFiles() {
      await session.send('Network.clearBrowserCache');
    },
  };
}

async function countBytes(session: CDPSession): Promise<Transferred> {
  const bytes = { files: 0, data: 0 };
  const ofData = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (/\/(api|auth|stream)\/v1\//.test(request.url)) ofData.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes[ofData.has(requestId) ? 'data' : 'files'] += encodedDataLength;
  });
  await session.send('Network.enable');
  return bytes;
}

async function memoryOf(session: CDPSession): Promise<{ heapMb: number; nodes: number }> {
  await session.send('HeapProfiler.collectGarbage');
  return { heapMb: (await metric(session, 'JSHeapUsedSize')) / BYTES_PER_MB, nodes: await metric(session, 'Nodes') };
}

async function metric(session: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}

/** The time at which the script begins is that at which the element was found. */
const interactive = (afterMs: number) => `(async () => {
  const found = performance.now();
  await new Promise((resolve) => setTimeout(resolve, ${afterMs}));
  const ends = probe.tasks.filter(({ start }) => start <= found).map(({ start, ms }) => start + ms);
  return Math.max(found, ...ends);
})()`;

const scrolling = (selector: string, speed: number, seconds: number) => `(async () => {
  const element = document.querySelector(${JSON.stringify(selector)});
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const begin = await frame();
  const [from, times] = [element.scrollTop, [begin]];
  for (let now = begin; now - begin < ${seconds * 1000};) {
    now = await frame();
    times.push(now);
    element.scrollTop = from + ((now - begin) / 1000) * ${speed};
  }
  const between = times.slice(1).map((time, at) => time - times[at]).sort((a, b) => a - b);
  return {
    perSecond: (1000 * between.length) / (times.at(-1) - begin),
    p95Ms: between[Math.floor(between.length * 0.95)],
    longestMs: between.at(-1),
  };
})()`;
