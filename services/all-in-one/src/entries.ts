import type { ServiceEntry } from '@switchyard/assembly';

/** Every service by name. Each entry imports its service on demand, so a process loads only what it runs. */
const entries = {
  auth: async () => (await import('@switchyard/auth/assemble')).authEntry,
  api: async () => (await import('@switchyard/api/assemble')).apiEntry,
  stream: async () => (await import('@switchyard/stream/assemble')).streamEntry,
  notifier: async () => (await import('@switchyard/notifier/assemble')).notifierEntry,
  'action-runner': async () => (await import('@switchyard/action-runner/assemble')).actionRunnerEntry,
  scheduler: async () => (await import('@switchyard/scheduler/assemble')).schedulerEntry,
  'workflow-engine': async () => (await import('@switchyard/workflow-engine/assemble')).workflowEngineEntry,
  'rules-engine': async () => (await import('@switchyard/rules-engine/assemble')).rulesEngineEntry,
  timers: async () => (await import('@switchyard/timers/assemble')).timersEntry,
  'garbage-collector': async () => (await import('@switchyard/garbage-collector/assemble')).garbageCollectorEntry,
  'sensor-container': async () => (await import('@switchyard/sensor-container/assemble')).sensorContainerEntry,
} as const satisfies Record<string, () => Promise<ServiceEntry>>;

export type ServiceName = keyof typeof entries;

export const serviceNames = Object.keys(entries) as ServiceName[];

export const isServiceName = (name: string | undefined): name is ServiceName =>
  serviceNames.some((known) => known === name);

export const serviceEntry = (name: ServiceName): Promise<ServiceEntry> => entries[name]();
