import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sensors, timers, webhooks } from './event-loads';
import { executions } from './executions';
import { inquiries } from './inquiries';
import { limitedExecutions } from './limited-executions';
import { PACK, type Load, type OpenLoad, type Work } from './load';
import { packRegistrations, put } from './pack-registrations';
import { workflows } from './workflow-load';

const LOADS: readonly Load[] = [
  executions,
  limitedExecutions,
  workflows,
  inquiries,
  webhooks,
  timers,
  sensors,
  packRegistrations,
];

/** All loads of a site. */
export interface Loads {
  /** References of rules that run executions all the time. */
  readonly endlessRules: ReadonlySet<string>;
  begin(): Senders;
  /** What is wrong after a round, by load. */
  problems(jumped: boolean): Promise<string[]>;
}

/** What sends requests in a round. */
export interface Senders {
  /** Ends the loads after this many more requests that were answered. */
  endAfter(requests: number): void;
  stop(): Promise<void>;
}

/** Installs and registers the pack of the loads. */
export async function openLoads(work: Work): Promise<Loads> {
  const { site, journal } = work;
  const pack = join(site.directory, 'packs', PACK);
  const description = 'Runs while things go wrong.';
  const about = { name: PACK, ref: PACK, description, version: '1.0.0', author: 'faults', email: 'faults@example.org' };
  put(join(pack, 'pack.yaml'), about);
  for (const { files } of LOADS)
    for (const [path, content] of Object.entries(files?.(journal) ?? {})) put(join(pack, path), content);
  const { status, body } = await site.api.call('POST', '/v1/packs/register', { packs: [PACK], fail_on_failure: true });
  if (status !== 200) throw new Error(`The pack was refused with ${status}: ${JSON.stringify(body)}`);
  const open: [Load, OpenLoad][] = [];
  for (const load of LOADS) open.push([load, await load.open(work)]);
  const number = counter();
  return {
    endlessRules: new Set(open.flatMap(([, { endlessRule }]) => endlessRule ?? [])),
    begin: () => send(work, number, open.map(([, load]) => load)), // oxfmt-ignore
    async problems(jumped) {
      const found = open.map(async ([{ name }, load]) => {
        const problems = await load.problems(jumped).catch((error: unknown) => [String(error)]);
        return problems.map((problem) => `${name}: ${problem}`);
      });
      return (await Promise.all(found)).flat();
    },
  };
}

/** After a request without an answer. */
const BROKEN_MS = 100;

function send({ site, random }: Work, number: () => number, loads: readonly OpenLoad[]): Senders {
  let running = true;
  let left = Infinity;
  const sender = async (once: (number: number) => Promise<void>, pauseMs: number) => {
    while (running && left > 0) {
      try {
        await once(number());
        left--;
      } catch {
        // The connection broke with the process, so the request does not count as accepted.
        await wait(BROKEN_MS);
      }
      await wait(random() * pauseMs);
    }
  };
  const senders = loads.flatMap(({ once, pace = { atATime: 1, pauses: 1 } }) =>
    once ? Array.from({ length: pace.atATime }, () => sender(once, site.pauseMs * pace.pauses)) : [],
  );
  return {
    endAfter(requests) {
      left = requests;
    },
    async stop() {
      running = false;
      await Promise.all(senders);
    },
  };
}

function counter(): () => number {
  let number = 0;
  return () => ++number;
}
