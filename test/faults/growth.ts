import { treePssMb } from '../bench/process-tree';
import { untilSound } from './loads/load';
import { openDescriptors, openPipes } from './process-limits';
import type { Site } from './site/site';

/** Finds queues, memory and file descriptors that grow. */
export interface GrowthCheck {
  problems(): Promise<string[]>;
  readonly line: string;
}

/**
 * How much a process that has done nothing else may use more than after the first round with it. An action runner keeps pipes for commands: when
 * fewer than 32 are left, it gets 64 more.
 */
const MORE = { descriptors: 60, pipes: 100, memoryMb: 250 };

interface Use {
  readonly pid: number;
  /** Apart from pipes. */
  readonly descriptors: number;
  readonly pipes: number;
  readonly memoryMb: number;
}

export function createGrowthCheck(site: Site): GrowthCheck {
  /** Of each process, by its position, as long as it lives. */
  const first = new Map<number, Use>();
  let line = '';
  const processProblems = (): string[] =>
    site.processes.flatMap(({ name, pid }, index) => {
      const pipes = openPipes(pid);
      const use = { pid, descriptors: openDescriptors(pid) - pipes, pipes, memoryMb: treePssMb([pid]) };
      const before = first.get(index);
      if (before?.pid !== pid) {
        first.set(index, use);
        return [];
      }
      return (['descriptors', 'pipes', 'memoryMb'] as const)
        .filter((what) => use[what] > before[what] + MORE[what])
        .map((what) => `${name} has grown: ${what} from ${before[what].toFixed(0)} to ${use[what].toFixed(0)}`);
    });
  return {
    get line() {
      return line;
    },
    async problems() {
      const waiting = await untilSound(async () => queueProblems(await site.queued()));
      const grown = processProblems();
      line = useLine(site);
      return [...waiting, ...grown, ...(await untilSound(() => statusProblems(site)))];
    },
  };
}

const queueProblems = (queued: Readonly<Record<string, number>>): string[] =>
  Object.entries(queued).map(([name, count]) => `${count} messages are left in the queue ${name}`);

/** What the system itself reports: missing services, and work that nobody does. */
async function statusProblems({ api }: Site): Promise<string[]> {
  const { status, body } = await api.call('GET', '/v1/status');
  if (status !== 200) return [`the status was answered ${status}`];
  return (body as { problems: { message: string }[] }).problems.map(({ message }) => `the system reports: ${message}`);
}

function useLine({ processes }: Site): string {
  const pids = processes.map(({ pid }) => pid);
  const descriptors = pids.reduce((sum, pid) => sum + openDescriptors(pid), 0);
  return `${treePssMb(pids).toFixed(0)} MB, ${descriptors} descriptors`;
}
