import type { ConfigOverrides } from '@switchyard/config';
import { openPlatform, type Platform } from '@switchyard/host';
import { captureDestination, createLogger } from '@switchyard/telemetry';
import { writeChecks, type WriteChecks } from './check-write';
import { testClock, type TestClock } from './test-clock';
import { openTestSite, type TestSite } from './test-site';

/** A platform on its own site, with either kind of drivers. Writes are checked against the schemas of the records. */
export interface TestPlatform extends Platform {
  readonly clock: TestClock;
  /** The lines of the log, as JSON strings. */
  readonly log: readonly string[];
  /** Closes the platform and opens another one on the same site, as a restarted process does. */
  reopen(): Promise<TestPlatform>;
  /**
   * Closes the platform and removes everything that it stored.
   * @throws Error if a write did not match the schema of its records
   */
  close(): Promise<void>;
}

export async function openTestPlatform(overrides: ConfigOverrides = {}): Promise<TestPlatform> {
  return openAt(await openTestSite(overrides), writeChecks());
}

async function openAt(site: TestSite, checkWrite: WriteChecks): Promise<TestPlatform> {
  const destination = captureDestination();
  const logger = createLogger({
    service: 'test',
    outputs: [{ level: 'info', format: 'json', destination }],
    mask: true,
    maskNames: [],
  });
  const platform = await openPlatform(site.config, logger, { checkWrite });
  let open = true;
  const leave = async () => {
    if (!open) return;
    open = false;
    await platform.close();
    await logger.close();
  };
  return {
    ...platform,
    clock: testClock(),
    log: destination.lines,
    async reopen() {
      await leave();
      return openAt(site, checkWrite);
    },
    async close() {
      await leave();
      await site.remove();
      checkWrite.assertAllMatched();
    },
  };
}

/** The same platform, and a function that reports a replaced connection to the broker to the services that use it. */
export function withReconnects(platform: TestPlatform): { platform: TestPlatform; reconnect: () => void } {
  const listeners: (() => void)[] = [];
  const bus = { ...platform.bus, onReconnect: (listener: () => void) => void listeners.push(listener) };
  return { platform: { ...platform, bus }, reconnect: () => listeners.forEach((listener) => listener()) };
}
