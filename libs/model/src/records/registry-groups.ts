/** A service as the service registry of StackStorm names it. */
interface RegistryGroup {
  readonly group: string;
  /** The name among its capabilities. */
  readonly name: string;
}

const same = (name: string): RegistryGroup => ({ group: name, name });

/** Every service by name, with its names in the service registry. */
export const REGISTRY_GROUPS = {
  api: same('api'),
  auth: same('auth'),
  stream: same('stream'),
  scheduler: same('scheduler'),
  'action-runner': same('actionrunner'),
  'workflow-engine': { group: 'workflow_engine', name: 'workflowengine' },
  'rules-engine': same('rulesengine'),
  notifier: same('notifier'),
  timers: { group: 'timer_engine', name: 'timerengine' },
  'garbage-collector': same('garbagecollector'),
  'sensor-container': same('sensorcontainer'),
} as const satisfies Record<string, RegistryGroup>;

/** A service that a process can run. */
export type RunnableService = keyof typeof REGISTRY_GROUPS;

export const RUNNABLE_SERVICES = Object.keys(REGISTRY_GROUPS) as RunnableService[];
