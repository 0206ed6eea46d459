import {
  isTerminal,
  standInDefinition,
  unreadableView,
  type DefinitionRecord,
  type ExecutionRecord,
  type Status,
} from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { ResultKeeper } from '../result';
import type { SecretKeeper } from '../secrets';
import { executionView, liveactionView, type Wants } from './execution-view';

export interface ViewOptions {
  /** Secrets in clear. Only for those who may see them. */
  showSecrets?: boolean;
  /** False leaves the result out without reading it. */
  result?: boolean;
  /** False leaves the children out without looking for them. */
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
  secrets: SecretKeeper;
  results: ResultKeeper;
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

const everything: Wants = () => true;

/**
 * The record as it was when it entered a status, for readers of messages that come after the record has moved on:
 * the log ends there, and what belongs to the end is not known yet.
 */
export function asOf(record: ExecutionRecord, status: Status, revision: number): ExecutionRecord {
  if (record.revision <= revision) return record;
  // Each entry came with a revision of its own, so those of later stays in the same status are left out.
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
