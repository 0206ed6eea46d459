import { Conductor, ConductorError, WORKFLOW_STATUSES, type WorkflowSpec } from '@switchyard/workflow';
import { Store } from '../store';
import type { Chance } from './chance';

const CALLS = 60;

/**
 * Makes random calls, valid or not, on a conductor and on one that is restored before each call.
 * @returns the differences; errors other than refusals are rethrown
 */
export function randomCalls(spec: WorkflowSpec, chance: Chance): string[] {
  const store = new Store();
  const conductor = Conductor.create(spec);
  conductor.requestStatus('running');
  for (let left = CALLS; left > 0; left -= 1) {
    store.save(conductor);
    const restored = store.load(spec);
    const call = randomCall(spec, chance);
    const [one, other] = [outcome(conductor, call), outcome(restored, call)];
    if (one !== other) return [`${one}\n${other}`];
  }
  return [];
}

function randomCall(spec: WorkflowSpec, chance: Chance): (conductor: Conductor) => unknown {
  const task = chance.of([...spec.tasks.keys(), 'noop', 'unknown']);
  const status = chance.of([...WORKFLOW_STATUSES, 'running', 'succeeded', 'failed', 'running', 'succeeded'] as const);
  const round = chance.onceIn(2) ? { round: 1 + chance.below(3) } : {};
  const event = { task, route: chance.below(2), status, ...round, result: chance.below(9) };
  const request = chance.of(['pausing', 'resuming', 'running', 'canceling', 'failed']);
  const reruns = chance.onceIn(2) ? undefined : [{ task, route: event.route, resetItems: true }];
  return chance.of([
    (conductor) => conductor.nextTasks(),
    (conductor) => conductor.nextTasks(),
    (conductor) => conductor.taskEvent(event),
    (conductor) => conductor.taskEvent(event),
    (conductor) => conductor.itemEvent({ ...event, item: event.result % 4 }),
    (conductor) => conductor.itemEvent({ ...event, item: event.result % 4 }),
    (conductor) => conductor.requestStatus(request),
    (conductor) => conductor.rerun(reruns),
    (conductor) => conductor.output(),
  ]);
}

function outcome(conductor: Conductor, call: (conductor: Conductor) => unknown): string {
  const before = view(conductor);
  try {
    return JSON.stringify([call(conductor), view(conductor)]);
  } catch (error) {
    if (!(error instanceof ConductorError)) throw error;
    return JSON.stringify([error.message, before === view(conductor) ? 'unchanged' : 'changed']);
  }
}

const view = (conductor: Conductor): string =>
  JSON.stringify([conductor.status, [...conductor.tasks].sort(), conductor.errors, [...conductor.underway].length]);
