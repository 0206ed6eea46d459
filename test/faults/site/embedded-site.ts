import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { login } from '../../system/api-caller';
import { freePorts, startSystem, type SystemProcess } from '../../system/system-process';
import { smallDisk } from '../small-disk';
import { impatient, type Site, type SiteProcess } from './site';

const PAUSE_MS = 100;
/** In characters. */
const LAST_WORDS = 4000;

/** @param directory of the run, which marks all processes of executions */
export async function openEmbeddedSite(directory: string): Promise<Site> {
  const data = join(directory, 'data');
  const disk = smallDisk(data);
  const [port = 0] = await freePorts(1);
  const ended: string[] = [];
  let stopping: SystemProcess['child'] | undefined;
  const begin = async (environment: Readonly<Record<string, string>> = {}) => {
    const started = await startSystem({
      directory: data,
      api: port,
      environment: { ...environment, SVC_FAULTS_RUN: directory },
    });
    started.child.once('exit', (code, signal) => {
      if (stopping === started.child) return;
      ended.push(`the system has ended by itself (${code ?? signal}): ${started.output().slice(-LAST_WORDS)}`);
    });
    return started;
  };
  const end = (signal?: NodeJS.Signals) => {
    stopping = system.child;
    return system.stop({ ...(signal ? { signal } : {}), keepData: true });
  };
  let system: SystemProcess = await begin();
  let starting: Promise<unknown> = Promise.resolve();
  // Logins are stored, and the port of the API stays the same.
  const api = impatient(await login(system.api, system.auth));
  const all: SiteProcess = {
    name: 'everything',
    get pid() {
      return system.child.pid ?? 0;
    },
    paths: {},
    start(environment) {
      starting = begin(environment).then((started) => (system = started));
      starting.catch(() => undefined);
    },
    stop: end,
    signal: (signal) => void system.child.kill(signal),
  };
  return {
    directory: data,
    api,
    pauseMs: PAUSE_MS,
    processes: [all],
    servers: {},
    disk,
    queued: () => Promise.resolve({}),
    ready: async () => void (await starting),
    endedAlone: () => ended.splice(0),
    async close() {
      api.close();
      await end();
      cpSync(join(data, 'logs'), join(directory, 'logs'), { recursive: true });
      disk?.remove();
    },
  };
}
