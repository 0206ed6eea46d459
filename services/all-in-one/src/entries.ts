import type { ServiceEntry } from '@switchyard/assembly';
import type { RunnableService } from '@switchyard/model';

/**
 * Every service by name, in the order in which services of one process start. Each entry imports its service on demand, so a process
 * loads only what it runs.
 */
const entries = {
  auth: async () => (await import('@switchyard/auth/assemble')).authEntry,
  stream: async () => (await import('@switchyard/stream/assemble')).streamEntry,
  notifier: async () => (await import('@switchyard/notifier/assemble')).notifierEntry,
  'action-runner': async () => (await import('@switchyard/action-runner/assemble')).actionRunnerEntry,
  scheduler: async () => (await import('@switchyard/scheduler/assemble')).schedulerEntry,
  'workflow-engine': async () => (await import('@switchyard/workflow-engine/assemble')).workflowEngineEntry,
  'rules-engine': async () => (await import('@switchyard/rules-engine/assemble')).rulesEngineEntry,
  timers: async () => (await import('@switchyard/timers/assemble')).timersEntry,
  'garbage-collector': async () => (await import('@switchyard/garbage-collector/assemble')).garbageCollectorEntry,
  'sensor-container': async () => (await import('@switchyard/sensor-container/assemble')).sensorContainerEntry,
  // Last, so that everything else is ready for the first request.
  api: async () => (await import('@switchyard/api/assemble')).apiEntry,
} as const satisfies Record<RunnableService, () => Promise<ServiceEntry>>;

export type ServiceName = RunnableService;

export const serviceNames = Object.keys(entries) as ServiceName[];

const isServiceName = (name: string): name is ServiceName => serviceNames.some((known) => known === name);

/**
 * Reads a list such as `scheduler,timers`.
 * @returns the names in the order in which the services start @throws Error that states what was expected
 */
export function readServiceNames(text: string): ServiceName[] {
  const given = text.split(',');
  const unknown = given.find((name) => !isServiceName(name));
  if (unknown !== undefined) throw new Error(`expected names of services separated by commas, got "${text}"`);
  const twice = given.find((name, index) => given.indexOf(name) < index);
  if (twice !== undefined) throw new Error(`expected each service once, got "${twice}" twice`);
  return serviceNames.filter((name) => given.includes(name));
}

export const serviceEntry = (name: ServiceName): Promise<ServiceEntry> => entries[name]();
