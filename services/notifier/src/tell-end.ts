import { isPlainObject, MIB, messageOf, type Clock, microsToIso } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { ExecutionRecords, Executions, LookupFor } from '@switchyard/executions';
import { isTerminal, type ExecutionRecord, type NotifySpec, type Status } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import {
  NOTIFY_TRIGGER,
  type Dispatch,
  type DispatchRequest,
  type Listeners,
  ACTION_TRIGGER,
  executionKey,
} from '@switchyard/triggers';
import {
  defaultMessage,
  notification,
  routesOf,
  sectionsFor,
  type SectionName,
  renderSection,
  type SectionContext,
} from './notification';

export interface TellDeps {
  config: Pick<Config, 'action_sensor'>;
  store: Pick<Store, 'definitions'>;
  executions: Pick<Executions, 'records' | 'results' | 'policies' | 'spans'>;
  dispatch: Dispatch;
  /** Options of the trigger for ended executions. */
  listeners: Pick<Listeners, 'are'>;
  /** Reads the datastore for templates. When absent, templates have no datastore. */
  lookupFor?: LookupFor;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'time'>;
}

/** Larger results are left out; receivers can read them from the execution. */
const LARGEST_RESULT = 4 * MIB;

/**
 * Does the remaining work for an execution that has entered a status: policies, notifications, the action trigger.
 * Idempotent: work that was already done is not repeated.
 */
export function tellOf(deps: TellDeps, record: ExecutionRecord): Promise<void> {
  const { spans } = deps.executions;
  return spans.recorder.within(spans.ofExecution(record), () => tell(deps, record));
}

async function tell(deps: TellDeps, record: ExecutionRecord): Promise<void> {
  const { executions, clock, metrics } = deps;
  const startMs = clock.monotonicMs();
  const ended = isTerminal(record.status);
  if (ended) await executions.policies.afterEnd(record);
  const told = { deps, record, dispatch: dispatcher(deps, record), result: await resultOf(deps, record) };
  const notify = ended
    ? await notifyOf({ records: executions.records, definitions: deps.store.definitions }, record)
    : undefined;
  for (const section of sectionsFor(record, notify)) await notifySection(told, notify ?? {}, section);
  await tellListeners(told);
  metrics.time('notifier.action.executions', clock.monotonicMs() - startMs);
}

interface Told {
  readonly deps: TellDeps;
  readonly record: ExecutionRecord;
  readonly dispatch: (request: DispatchRequest) => Promise<void>;
  readonly result: Record<string, unknown> | undefined;
}

/**
 * Trigger instances about an execution belong to its trace; if the trace has a name of its own, the instance carries it.
 */
function dispatcher({ dispatch, clock, metrics }: TellDeps, { context }: ExecutionRecord): Told['dispatch'] {
  const trace = context['trace_context'];
  const traced = isPlainObject(trace) ? { traceContext: trace } : {};
  return async (request: DispatchRequest): Promise<void> => {
    const startMs = clock.monotonicMs();
    await dispatch({ ...request, ...traced });
    const metric =
      request.trigger === NOTIFY_TRIGGER ? 'notifier.notify_trigger.dispatch' : 'notifier.generic_trigger.dispatch';
    metrics.time(metric, clock.monotonicMs() - startMs);
  };
}

async function resultOf({ executions }: TellDeps, record: ExecutionRecord): Promise<Told['result']> {
  return (record.result_size ?? 0) > LARGEST_RESULT ? undefined : executions.results.load(record, false);
}

async function notifySection(
  { deps, record, dispatch, result }: Told,
  notify: NotifySpec,
  section: SectionName,
): Promise<void> {
  const { clock, logger, metrics, lookupFor } = deps;
  const startMs = clock.monotonicMs();
  const spec = notify[section] ?? {};
  const context: SectionContext = {
    action_parameters: record.parameters,
    action_context: record.context,
    action_results: result,
  };
  const rendered = await renderSection(spec, {
    fallback: defaultMessage(record, section),
    context,
    ...(lookupFor ? { lookup: lookupFor(record.context) } : {}),
    onError: (error) =>
      logger.warn('Failed to render a notification; sending it unrendered.', {
        execution_id: record._id,
        section,
        error: messageOf(error),
      }),
  });
  metrics.time('notifier.transform_message', clock.monotonicMs() - startMs);
  for (const route of routesOf(spec))
    await dispatch(notification(record, { section, route }, rendered, clock.nowMicros()));
  metrics.time('notifier.notify_trigger.post', clock.monotonicMs() - startMs);
}

async function tellListeners({ deps, record, dispatch, result }: Told): Promise<void> {
  const { config, listeners, clock, metrics } = deps;
  const { enable, emit_when: emitWhen } = config.action_sensor;
  const statuses = enable ? statusesToTell(record, emitWhen) : [];
  if (statuses.length === 0 || !(await listeners.are())) return;
  const startMs = clock.monotonicMs();
  for (const status of statuses) await dispatch(actionTrigger(record, status, result));
  metrics.time('notifier.generic_trigger.post', clock.monotonicMs() - startMs);
}

interface Sources {
  readonly records: Pick<ExecutionRecords, 'get'>;
  readonly definitions: Pick<Store['definitions'], 'get'>;
}

/**
 * The notifications of an ended execution. A chain may exclude tasks (`skip_notify`); then only the chain's own
 * specification for them counts. Tasks of other workflows are decided when they are requested.
 */
export async function notifyOf(sources: Sources, record: ExecutionRecord): Promise<NotifySpec | undefined> {
  const task = record.context['chain'];
  if (!record.notify || !isPlainObject(task) || record.parent === undefined) return record.notify;
  const parent = await sources.records.get(record.parent);
  if (!parent || !(await skipped(sources, parent)).includes(task['name'])) return record.notify;
  return isSpec(task['notify']) ? task['notify'] : parent.notify;
}

/** The tasks that the request of the chain excludes, or that its action excludes by default. */
async function skipped(
  { definitions }: Sources,
  { parameters, definition }: Pick<ExecutionRecord, 'parameters' | 'definition'>,
): Promise<readonly unknown[]> {
  const given = parameters['skip_notify'];
  if (Array.isArray(given) && given.length > 0) return given as unknown[];
  const preset = (await definitions.get(definition))?.action.parameters['skip_notify']?.['default'];
  return Array.isArray(preset) ? (preset as unknown[]) : [];
}

const isSpec = (value: unknown): value is NotifySpec => isPlainObject(value) && Object.keys(value).length > 0;

/**
 * Selects the statuses to announce from those that the execution has had. An earlier status that was not announced yet
 * is announced with a later one; keys identify those that were announced.
 */
const statusesToTell = ({ log }: Pick<ExecutionRecord, 'log'>, emitWhen: readonly string[]): Status[] => [
  ...new Set(log.map(({ status }) => status).filter((status) => emitWhen.includes(status))),
];

/** The payload for an execution that has entered a status; each status is announced once. */
export const actionTrigger = (
  record: ExecutionRecord,
  status: Status,
  result: Readonly<Record<string, unknown>> | undefined,
): DispatchRequest => ({
  trigger: ACTION_TRIGGER,
  payload: {
    execution_id: record._id,
    status,
    start_timestamp: microsToIso(record.start_timestamp),
    // An old name of the reference; rules compare against it.
    action_name: record.action_ref,
    action_ref: record.action_ref,
    runner_ref: record.runner_name,
    parameters: record.parameters,
    result: result ?? {},
  },
  requestKey: executionKey(record._id, 'status', status),
  validate: false,
});
