import { microsToIso, SECOND_MICROS } from '@switchyard/base';
import {
  isTerminal,
  standInDefinition,
  unreadableView,
  type DefinitionRecord,
  type ExecutionRecord,
  type Status,
  type Execution,
} from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { ResultStore } from '../result';
import type { RecordSecrets } from '../execution-record';

export interface ViewOptions {
  /** Show secrets in clear text. Only for users who may see them. */
  showSecrets?: boolean;
  /** False leaves the result out without reading it. */
  result?: boolean;
  /** False leaves the children out without reading them. */
  children?: boolean;
  /** The attributes of an execution to show; nothing is read or computed for the others. All when absent. */
  wants?: Wants;
}

/** Turns records into what users see. */
export interface Viewer {
  /** @param record may lack the fields of attributes that are not wanted, see `fieldsOfAttributes` */
  execution(record: ExecutionRecord, options?: ViewOptions): Promise<Record<string, unknown>>;
  liveaction(record: ExecutionRecord, options?: ViewOptions): Promise<Record<string, unknown>>;
}

interface ViewerDeps {
  store: Pick<Store, 'definitions' | 'executions'>;
  secrets: RecordSecrets;
  results: ResultStore;
}

export function createViewer({ store, secrets, results }: ViewerDeps): Viewer {
  const parameters = (record: ExecutionRecord, { showSecrets = false }: ViewOptions) =>
    showSecrets && secrets.canOpen(record.sealed_parameters) ? secrets.openParameters(record) : record.parameters;
  const result = async (record: ExecutionRecord, options: ViewOptions) => {
    if (options.result === false) return {};
    const shown = options.showSecrets === true && secrets.canOpen(record.sealed_result);
    const found = await results.load(record, shown);
    return found === undefined ? {} : { result: found };
  };
  const definition = async (record: ExecutionRecord): Promise<DefinitionRecord> => {
    const found = await store.definitions.get(record.definition);
    return found && !unreadableView(found) ? found : standInDefinition(record);
  };
  const children = async ({ _id }: ExecutionRecord) =>
    (await store.executions.list({ filter: { parent: _id }, sort: { start_timestamp: 1 }, fields: ['_id'] })).map(
      (child) => child._id,
    );
  return {
    async execution(record, options = {}) {
      const unreadable = unreadableView(record);
      if (unreadable) return unreadable;
      const wants = options.wants ?? everything;
      const withParameters = wants('parameters') || wants('liveaction');
      const withChildren = record.has_children === true && options.children !== false && wants('children');
      const parts = {
        ...(wants('action') || wants('runner') ? { definition: await definition(record) } : {}),
        parameters: withParameters ? parameters(record, options) : {},
        ...(wants('result') ? await result(record, options) : {}),
        ...(withChildren ? { children: await children(record) } : {}),
      };
      return executionView(record, parts, wants);
    },
    async liveaction(record, options = {}) {
      const unreadable = unreadableView(record);
      if (unreadable) return unreadable;
      return liveactionView(record, {
        parameters: parameters(record, options),
        ...(await result(record, options)),
      });
    },
  };
}

/**
 * The record as it was when it entered a status, for readers of messages that arrive after the record has changed
 * again: the log ends there, and the attributes of the end are absent.
 */
export function asOf(record: ExecutionRecord, status: Status, revision: number): ExecutionRecord {
  if (record.revision <= revision) return record;
  // Each entry has its own revision, so entries for later changes to the same status are left out.
  const at = record.log.slice(0, revision).findLastIndex((entry) => entry.status === status);
  return at < 0 ? { ...withoutLater(record, status), status } : atLogEntry(record, at);
}

/** The record as it was when an entry was added to its log. @param index of the entry */
export function atLogEntry(record: ExecutionRecord, index: number): ExecutionRecord {
  const { status } = record.log[index]!;
  const { has_children, ...before } = withoutLater(record, status);
  // A workflow requests its first action after it has entered `running`.
  const mayHaveChildren = record.log.slice(0, index).some((entry) => entry.status === 'running');
  const children = mayHaveChildren && has_children !== undefined ? { has_children } : {};
  return { ...before, ...children, status, log: record.log.slice(0, index + 1) };
}

function withoutLater(record: ExecutionRecord, status: Status): ExecutionRecord {
  if (isTerminal(status)) return record;
  const {
    end_timestamp: _end,
    result: _result,
    result_blob: _blob,
    result_size: _size,
    sealed_result: _sealed,
    ...rest
  } = record;
  return rest;
}

/** The data of a view besides the record. Data of attributes that were not requested may be missing. */
interface ViewParts {
  definition?: DefinitionRecord;
  parameters: Record<string, unknown>;
  /** The result, if it was requested and exists. */
  result?: Record<string, unknown>;
  children?: readonly string[];
}

/** Whether an attribute was requested. */
export type Wants = (attribute: string) => boolean;

type Read = (record: ExecutionRecord, parts: ViewParts) => unknown;

/** An attribute: the stored fields it needs, and how its value is computed from them. */
interface Attribute {
  readonly fields: readonly (keyof ExecutionRecord)[];
  readonly read: Read;
}

const plain = (field: keyof ExecutionRecord): Attribute => ({ fields: [field], read: (record) => record[field] });

const PARAMETERS = ['parameters', 'sealed_parameters'] as const;

const ATTRIBUTES: Readonly<Record<keyof Execution, Attribute>> = {
  id: plain('_id'),
  action: { fields: ['definition'], read: (_, { definition }) => definition && actionOf(definition) },
  runner: { fields: ['definition'], read: (_, { definition }) => definition && runnerOf(definition) },
  liveaction: {
    fields: ['liveaction_id', 'action_ref', 'action_is_workflow', 'callback', 'runner_info', 'notify', ...PARAMETERS],
    read: linkedLiveaction,
  },
  status: plain('status'),
  start_timestamp: { fields: ['start_timestamp'], read: (record) => microsToIso(record.start_timestamp) },
  end_timestamp: { fields: ['end_timestamp'], read: ({ end_timestamp: end }) => end && microsToIso(end) },
  elapsed_seconds: { fields: ['start_timestamp', 'end_timestamp'], read: elapsedSeconds },
  parameters: { fields: PARAMETERS, read: (_, { parameters }) => parameters },
  result: { fields: ['result', 'result_blob', 'sealed_result'], read: (_, { result }) => result },
  result_size: plain('result_size'),
  context: plain('context'),
  log: {
    fields: ['log'],
    read: ({ log }) => log.map(({ status, timestamp }) => ({ status, timestamp: microsToIso(timestamp) })),
  },
  waiting_for: plain('waiting_for'),
  web_url: plain('web_url'),
  delay: plain('delay'),
  parent: plain('parent'),
  children: { fields: ['has_children'], read: (_, { children }) => children },
  trigger: plain('trigger'),
  trigger_type: plain('trigger_type'),
  trigger_instance: plain('trigger_instance'),
  rule: plain('rule'),
  workflow_execution: plain('workflow_execution'),
  task_execution: plain('task_execution'),
};

const ENTRIES = Object.entries(ATTRIBUTES);

/** The stored fields that the requested attributes need. */
export const fieldsOfAttributes = (wants: Wants): (keyof ExecutionRecord)[] => [
  ...new Set(ENTRIES.flatMap(([name, { fields }]) => (wants(name) ? fields : []))),
];

const everything: Wants = () => true;

/**
 * An execution as the API, the stream and the command line show it. Falsy attributes are left out.
 * @param wants the attributes to show; the record needs no other fields than theirs
 */
export function executionView(
  record: ExecutionRecord,
  parts: ViewParts,
  wants: Wants = everything,
): Record<string, unknown> {
  const view: Record<string, unknown> = {};
  for (const [name, { read }] of ENTRIES) {
    if (!wants(name)) continue;
    const value = read(record, parts);
    if (!isEmpty(value)) view[name] = value;
  }
  return view;
}

/** The live action in the view of an execution. */
function linkedLiveaction(record: ExecutionRecord, { parameters }: ViewParts) {
  return {
    id: record.liveaction_id,
    action: record.action_ref,
    action_is_workflow: record.action_is_workflow,
    parameters,
    callback: record.callback ?? {},
    runner_info: record.runner_info ?? {},
    ...(record.notify ? { notify: record.notify } : {}),
  };
}

function elapsedSeconds({ start_timestamp: start, end_timestamp: end }: ExecutionRecord): number | undefined {
  return end === undefined ? undefined : Math.max(end - start, 1) / SECOND_MICROS;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The action as it was when the execution was requested. */
function actionOf({ action }: DefinitionRecord): Record<string, unknown> {
  const { idempotent: _idempotent, content_hash: _hash, ...shown } = action;
  return shown;
}

const runnerOf = ({ runner }: DefinitionRecord): Record<string, unknown> => ({ ...runner });

/** The same record as a live action. */
export function liveactionView(
  record: ExecutionRecord,
  { parameters, result }: Pick<ViewParts, 'parameters' | 'result'>,
): Record<string, unknown> {
  const optional = {
    end_timestamp: record.end_timestamp === undefined ? undefined : microsToIso(record.end_timestamp),
    notify: record.notify,
    delay: record.delay,
    workflow_execution: record.workflow_execution,
    task_execution: record.task_execution,
  };
  return {
    id: record.liveaction_id,
    action: record.action_ref,
    action_is_workflow: record.action_is_workflow,
    status: record.status,
    start_timestamp: microsToIso(record.start_timestamp),
    parameters,
    result: result ?? {},
    context: record.context,
    callback: record.callback ?? {},
    runner_info: record.runner_info ?? {},
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}
