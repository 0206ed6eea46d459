import {
  Conductor,
  parseWorkflow,
  type TaskDispatch,
  type WorkflowStatus,
  type WorkflowSpec,
} from '@switchyard/workflow';
import { chain, forkJoin, withItems } from './conductor-definitions';
import { percentiles } from './measure';
import { heldBy, repeat } from './pure-measure';

interface Workload {
  readonly name: string;
  readonly definition: (size: number) => Readonly<Record<string, unknown>>;
}

const MOST_TASKS = 10_000;
const SIZES = [100, 1000, MOST_TASKS];

const WORKLOADS: readonly Workload[] = [
  { name: 'chain', definition: chain },
  { name: 'fork and join', definition: forkJoin },
  { name: 'items', definition: (size) => withItems(size) },
  { name: 'items, 20 at a time', definition: (size) => withItems(size, 20) },
];

/** @param scale factor for how long each workload is repeated; its size does not change */
export function conductorScenario(scale: number): void {
  const rows = WORKLOADS.map((workload) => SIZES.map((size) => measureSize(workload, size, scale)));
  console.table(rows.flat());
  console.log(
    'Microseconds for one event: a task or an item that starts or ends, the question what to run next, what to write.',
  );
  console.log('CPU µs: the total use of the process, including garbage collection and the start of runs.');
  for (const row of rows) console.log(growth(row));
}

/** Shows whether events take longer in larger runs: the time at each size, and the ratio at the largest. */
function growth(rows: readonly { workload: string; p50: string }[]): string {
  const times = rows.map(({ p50 }) => p50);
  const factor = Number(times.at(-1)) / Number(times[0]);
  return `${rows[0]?.workload}: p50 ${times.join(', ')} µs at ${SIZES.join(', ')}, ${factor.toFixed(1)} times as much`;
}

const SECONDS = 2;
const KIB = 1024;

function measureSize({ name, definition }: Workload, size: number, scale: number) {
  const spec = parseWorkflow(definition(size));
  const seconds = (SECONDS * scale) / SIZES.length;
  repeat(seconds / 2, () => drive(spec));
  const runs = Math.ceil(MOST_TASKS / size);
  const heldMb = heldBy(() => Array.from({ length: runs }, () => drive(spec).conductor));
  const { times, writes, cpuMs } = driveFor(seconds, spec, name);
  const elapsed = times.reduce((sum, time) => sum + time, 0);
  const { p50, p95, p99 } = percentiles(times);
  return {
    workload: name,
    size,
    'events/s': Math.round((times.length / elapsed) * 1000),
    µs: us(elapsed / times.length),
    'CPU µs': us(cpuMs / times.length),
    p50: us(p50),
    p95: us(p95),
    p99: us(p99),
    'documents/event': (writes / times.length).toFixed(1),
    'held kB/task': ((heldMb * KIB) / runs / size).toFixed(2),
  };
}

/** Runs one workflow after the other. @throws Error for a run that does not succeed */
function driveFor(seconds: number, spec: WorkflowSpec, name: string) {
  const all = { times: [] as number[], writes: 0 };
  const cpu = process.cpuUsage();
  repeat(seconds, () => {
    const { times, writes, conductor } = drive(spec);
    if (conductor.status !== 'succeeded') throw new Error(`${name} ended as ${conductor.status}`);
    for (const time of times) all.times.push(time);
    all.writes += writes;
  });
  const { user, system } = process.cpuUsage(cpu);
  return { ...all, cpuMs: (user + system) / 1000 };
}

const us = (milliseconds: number): string => (milliseconds * 1000).toFixed(1);

interface Drive {
  /** Milliseconds of each event. */
  readonly times: number[];
  readonly conductor: Conductor;
  /** Documents that the engine would have written. */
  writes: number;
}

/** Runs a workflow to its end like the engine: it handles each event, then decides what to run next, then what to write. */
function drive(spec: WorkflowSpec): Drive {
  const conductor = Conductor.create(spec);
  const run: Drive = { times: [], conductor, writes: 0 };
  conductor.requestStatus('running');
  const active: Work[] = [];
  begin(run, active, conductor.nextTasks());
  for (let at = 0; at < active.length; at += 1) {
    const start = performance.now();
    report(conductor, active[at]!, 'succeeded');
    const tasks = conductor.nextTasks();
    save(run);
    run.times.push(performance.now() - start);
    begin(run, active, tasks);
  }
  conductor.output();
  return run;
}

interface Work {
  readonly task: TaskDispatch;
  readonly item: number | undefined;
}

function begin(run: Drive, active: Work[], tasks: readonly TaskDispatch[]): void {
  for (const task of tasks) {
    for (const { item } of task.actions) {
      const start = performance.now();
      report(run.conductor, { task, item }, 'running');
      save(run);
      run.times.push(performance.now() - start);
      active.push({ task, item });
    }
  }
}

function report(
  conductor: Conductor,
  { task: { task, route, round, attempt }, item }: Work,
  status: WorkflowStatus,
): void {
  const event = { task, route, round, attempt, status, result: { ...RESULT } };
  if (item === undefined) conductor.taskEvent(event);
  else conductor.itemEvent({ ...event, item });
}

const RESULT = { stdout: 'ok', stderr: '', return_code: 0, failed: false };

function save(run: Drive): void {
  const changes = run.conductor.takeChanges();
  if (changes !== undefined) run.writes += 1 + changes.put.length + changes.removed.length;
}
