import { accessSync, constants, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AfterFault } from './fault-table';
import { expectAnswer, requested, type Work } from './loads/load';

const GROUPS = '/sys/fs/cgroup/memory';
const COMMANDS = 4;
const MEMORY_KB = 32_768;
/** Reads its whole input, which does not end, as one line. */
const GREEDY = 'exec tail /dev/zero';

/** Requests commands that use more memory than they may. The kernel kills them, and nothing else. */
export async function outOfMemory(work: Work): Promise<AfterFault> {
  const group = memoryGroup();
  const limit = group === undefined ? `ulimit -v ${MEMORY_KB}` : `echo $$ > ${group}/cgroup.procs`;
  const ids: string[] = [];
  for (let count = 0; count < COMMANDS; count++) {
    const id = await requested(work, 'core.local', { cmd: `${limit}; ${GREEDY}` });
    if (id !== undefined) ids.push(id);
  }
  return async () => {
    if (group !== undefined) rmdirSync(group);
    const ended = ids.map((id) => expectAnswer(work.site.api, `/v1/executions/${id}?include_attributes=status`));
    const wrong = (await Promise.all(ended)).filter(({ status }) => status !== 'failed');
    return wrong.map(({ id, status }) => `a command without memory is ${status}: ${id}`);
  };
}

/** A group of processes with little memory. @returns undefined if this process may not create one */
function memoryGroup(): string | undefined {
  try {
    accessSync(join(GROUPS, 'memory.limit_in_bytes'), constants.W_OK);
    const group = join(GROUPS, `svc-faults-${process.pid}`);
    mkdirSync(group, { recursive: true });
    writeFileSync(join(group, 'memory.limit_in_bytes'), `${MEMORY_KB}K`);
    return group;
  } catch {
    return undefined;
  }
}
