import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { endsWithUs } from '../system/ends-with-us';
import { callerWith } from '../system/api-caller';
import { SUBMITTERS } from './load';
import type { Measurement } from './measurement';
import { percentiles } from './measure';
import { treeCpuSeconds } from './process-tree';

/** Minimal programs to compare the system with. */

/** Runs POSTs against an application that inserts a record and changes it three times for each. */
export async function bareApplication(count: number): Promise<Measurement> {
  const child = spawn(process.execPath, [join(__dirname, 'bare-application-main.js')], { stdio: ['pipe', 'pipe', 'inherit'] }); // oxfmt-ignore
  endsWithUs(child);
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  const api = callerWith(`http://127.0.0.1:${port}`, {});
  const pids = child.pid === undefined ? [] : [child.pid];
  const post = (most: number) => postAll(most, () => api.call('POST', '/executions', { action: 'core.noop' }));
  await post(Math.ceil(count / 10));
  const [cpu, start] = [treeCpuSeconds(pids), performance.now()];
  const times = await post(count);
  const seconds = (performance.now() - start) / 1000;
  const used = treeCpuSeconds(pids) - cpu;
  api.close();
  child.stdin.end();
  await once(child, 'exit');
  const { p50, p95, p99 } = percentiles(times);
  return {
    what: `bare application, ${SUBMITTERS} submitters`,
    figures: {
      'per second': count / seconds,
      'p50 ms': p50,
      'p95 ms': p95,
      'p99 ms': p99,
      'CPU ms each': (used / count) * 1000,
    },
  };
}

async function postAll(count: number, post: () => Promise<{ readonly status: number }>): Promise<number[]> {
  const times: number[] = [];
  let sent = 0;
  const submit = async () => {
    while (sent < count) {
      sent++;
      const start = performance.now();
      const { status } = await post();
      if (status !== 201) throw new Error(`the bare application answered ${status}`);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: SUBMITTERS }, submit));
  return times;
}

/** Runs `sh -c` in an empty Node.js process. */
export async function bareLoop(count: number, atATime: number): Promise<Measurement> {
  const program = join(__dirname, 'bare-loop-main.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(count), String(atATime)]);
  const { times, total } = JSON.parse(stdout) as { times: number[]; total: number };
  const { p50, p95, p99 } = percentiles(times);
  return {
    what: `bare sh -c, ${atATime === 1 ? 'idle' : `${atATime} submitters`}`,
    figures: { 'per second': (count / total) * 1000, 'p50 ms': p50, 'p95 ms': p95, 'p99 ms': p99 },
  };
}
