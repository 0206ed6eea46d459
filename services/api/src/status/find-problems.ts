import { MINUTE_MS, MS_MICROS, microsToIso, type Micros } from '@switchyard/base';
import { WORKFLOW_POOL } from '@switchyard/executions';
import {
  RUNNABLE_SERVICES,
  type PoolStatus,
  type RunnableService,
  type StatusProblem,
  type SystemStatus,
} from '@switchyard/model';

type Facts = Omit<SystemStatus, 'problems'>;

/** Work that waits for longer than this is a problem, although everything that it needs is running. */
const LONG = MINUTE_MS * MS_MICROS;

/** Why work does not proceed, or soon will not. Does no I/O. */
export function findProblems(facts: Facts, now: Micros): StatusProblem[] {
  const longAgo = microsToIso(now - LONG);
  return [
    ...missingServices(facts),
    ...differentVersions(facts),
    ...facts.pools.flatMap((pool) => poolProblem(pool, facts, longAgo) ?? []),
    ...facts.queues.flatMap(({ service, waiting, oldest_at }) =>
      oldest_at !== undefined && oldest_at < longAgo && isRunning(facts, service)
        ? [{ kind: 'slow-queue' as const, message: `Events wait for a rules engine: ${waiting}.`, service, oldest_at }]
        : [],
    ),
  ];
}

const replicasOf = ({ services }: Facts, name: string) =>
  services.find(({ service }) => service === name)?.replicas ?? [];
const isRunning = (facts: Facts, name: string): boolean => replicasOf(facts, name).length > 0;

/** What does not happen without a service. */
const WITHOUT: Readonly<Record<RunnableService, string>> = {
  api: 'clients cannot reach the API',
  auth: 'nobody can log in',
  stream: 'clients get no events',
  scheduler: 'executions do not start',
  'action-runner': 'actions do not run',
  'workflow-engine': 'workflows do not proceed',
  'rules-engine': 'events are not matched with rules',
  notifier: 'finished executions are not announced',
  timers: 'timers do not fire',
  'garbage-collector': 'old records stay, and inquiries do not time out',
  'sensor-container': 'sensors do not run',
};

function missingServices(facts: Facts): StatusProblem[] {
  return RUNNABLE_SERVICES.filter((service) => !isRunning(facts, service)).map((service) => {
    const { waiting, oldest_at } = waitingFor(service, facts);
    const message = `No process runs the service ${service}: ${WITHOUT[service]}.`;
    return {
      kind: 'missing-service' as const,
      message: waiting === 0 ? message : `${message} Waiting for it: ${waiting}.`,
      service,
      ...(oldest_at === undefined ? {} : { oldest_at }),
    };
  });
}

/** What waits for a service, in its queue and in the pools in front of it. */
function waitingFor(service: RunnableService, { queues, pools }: Facts): Pick<PoolStatus, 'waiting' | 'oldest_at'> {
  const inFront = pools.filter(
    ({ pool }) =>
      service === 'scheduler' ||
      (service === 'workflow-engine' && pool === WORKFLOW_POOL) ||
      (service === 'action-runner' && pool !== WORKFLOW_POOL),
  );
  const all = [...inFront, ...queues.filter((queue) => queue.service === service)];
  const [oldest_at] = all.flatMap((each) => each.oldest_at ?? []).sort();
  return {
    waiting: all.reduce((sum, { waiting }) => sum + waiting, 0),
    ...(oldest_at === undefined ? {} : { oldest_at }),
  };
}

function differentVersions({ services }: Facts): StatusProblem[] {
  const processes = new Map(services.flatMap(({ replicas }) => replicas).map((each) => [each.id, each]));
  const versions = [...new Set([...processes.values()].flatMap(({ version }) => version ?? []))].sort();
  if (versions.length < 2) return [];
  const counts = versions.map((version) => {
    const count = [...processes.values()].filter((each) => each.version === version).length;
    return `${version} (${count})`;
  });
  return [{ kind: 'different-versions', message: `Processes run different versions: ${counts.join(', ')}.` }];
}

function poolProblem(status: PoolStatus, facts: Facts, longAgo: string): StatusProblem | undefined {
  const { pool, waiting, oldest_at, active = 0, slots } = status;
  const of = { pool, ...(oldest_at === undefined ? {} : { oldest_at }) };
  const service = pool === WORKFLOW_POOL ? 'workflow-engine' : 'action-runner';
  // Without the service at all, that is the problem.
  if (!isRunning(facts, service)) return undefined;
  const executions = `${waiting} ${waiting === 1 ? 'execution waits' : 'executions wait'} for the pool "${pool}"`;
  if (service === 'action-runner' && slots === undefined) {
    if (waiting + active === 0) return undefined;
    const begun = active === 0 ? '' : `; ${active} had a slot there`;
    return { kind: 'unserved-pool', message: `${executions}, and no running action runner serves it${begun}.`, ...of };
  }
  if (oldest_at === undefined || oldest_at >= longAgo || !isRunning(facts, 'scheduler')) return undefined;
  if (slots !== undefined && active >= slots)
    return { kind: 'full-pool', message: `${executions}: all of its ${slots} slots are in use.`, ...of };
  const room = slots === undefined ? 'a workflow engine is running' : `${slots - active} of ${slots} slots are free`;
  return { kind: 'stuck-pool', message: `${executions} although ${room}.`, ...of };
}
