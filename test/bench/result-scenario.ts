import { MIB } from '@switchyard/base';
import { createExecutions, type Executions } from '@switchyard/executions';
import { anAction, aRunnerType } from '@switchyard/testkit/platform';
import { openPlatformOn } from './engine-under-test';
import { memory, percentiles } from './measure';

const ROUNDS = 20;
const BYTES = 8 * MIB;

/**
 * Measures writing a result of 8 MB with the end of its execution, and reading it with the view.
 * @param scale factor for the number of rounds
 */
export async function resultScenario(target: 'embedded' | 'servers', scale: number): Promise<void> {
  const platform = await openPlatformOn(target);
  try {
    const { store, sealer, clock, logger, bus } = platform;
    await store.runnerTypes.upsert(aRunnerType({ name: 'noop' }));
    await store.actions.upsert(anAction({ runner_type: 'noop' }));
    const executions = createExecutions({ store, sealer, clock, logger, publisher: bus.publisher(), webUrl: '' });
    const rounds = [];
    for (let round = 0; round < Math.ceil(ROUNDS * scale); round++) rounds.push(await oneRound(executions));
    const row = (name: string, times: number[]) => {
      const { p50, p95 } = percentiles(times);
      return { step: name, rounds: times.length, p50: p50.toFixed(0), p95: p95.toFixed(0) };
    };
    console.table([
      row('written', rounds.map(({ written }) => written)),
      row('read back', rounds.map(({ read }) => read)),
      row('both', rounds.map(({ written, read }) => written + read)),
    ]); // oxfmt-ignore
    console.log(`Milliseconds for a result of ${BYTES / MIB} MB; peak memory ${memory(process.pid).peakMb} MB.`);
  } finally {
    await platform.close();
  }
}

async function oneRound(executions: Executions): Promise<{ written: number; read: number }> {
  const record = await executions.request({ action: 'tests.action', user: 'bench' });
  const result = { lines: text() };
  const start = performance.now();
  const stored = await executions.results.store(record, result);
  const ended = await executions.transition(record, 'succeeded', stored);
  const written = performance.now() - start;
  if (!ended) throw new Error('the execution did not end');
  const back = await executions.view.execution(await executions.get(record._id), { showSecrets: false });
  if (JSON.stringify(back).length < BYTES) throw new Error('the result did not come back');
  return { written, read: performance.now() - start - written };
}

/** Partly repetitive lines, like the output of a program. */
function text(): string {
  const lines: string[] = [];
  for (let bytes = 0; bytes < BYTES;) {
    const line = `${lines.length} ${Math.random()} GET /index.html 200`;
    lines.push(line);
    bytes += line.length + 1;
  }
  return lines.join('\n');
}
