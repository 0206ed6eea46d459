import { messageOf } from '@switchyard/base';
import type { PackPlace } from '../packs/find-packs';
import { firstLine, setUpSharedEnvironment, type SharedEnvironmentSettings } from './shared-environment';
import { needsSharedEnvironment } from './shared-need';

export interface SharedEnvironmentDeps {
  readonly logger: Readonly<
    Record<'info' | 'debug' | 'warn', (text: string, fields?: Record<string, unknown>) => void>
  >;
  /** The directories of the users' packs. */
  packs(): Promise<readonly PackPlace[]>;
  settings(): Promise<SharedEnvironmentSettings>;
}

/** Creates the shared environment in the background. */
export interface SharedEnvironmentInstaller {
  /** Creates or updates it if a pack needs it. Returns at once; a failure is logged and reported. */
  request(): void;
  /** Called with one line for each failure. */
  onFailure(tell: (line: string) => void): void;
  /** Stops running programs. */
  stop(): Promise<void>;
}

export function createSharedEnvironmentInstaller({
  logger,
  packs,
  settings,
}: SharedEnvironmentDeps): SharedEnvironmentInstaller {
  const abort = new AbortController();
  let working: Promise<void> | undefined;
  let again = false;
  let tell: (line: string) => void = () => undefined;

  async function setUp(): Promise<void> {
    if (!(await needsSharedEnvironment(await packs()))) return;
    logger.info('Packs need the shared Python environment; creating it unless it is up to date.');
    const onOutput = (line: string) => logger.debug(line.trimEnd());
    const outcome = await setUpSharedEnvironment({ ...(await settings()), abort: abort.signal }, onOutput);
    logger.info('The shared Python environment is ready.', { outcome });
  }

  async function work(): Promise<void> {
    do {
      again = false;
      await setUp().catch((error: unknown) => {
        if (abort.signal.aborted) return;
        const text = messageOf(error);
        logger.warn(text);
        tell(firstLine(text));
      });
    } while (again && !abort.signal.aborted);
    working = undefined;
  }

  return {
    request() {
      again = true;
      working ??= work();
    },
    onFailure(told) {
      tell = told;
    },
    async stop() {
      abort.abort();
      await working;
    },
  };
}
