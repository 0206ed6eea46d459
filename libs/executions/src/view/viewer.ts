import { standInDefinition, unreadableView, type DefinitionRecord, type ExecutionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { ResultKeeper } from '../result';
import type { SecretKeeper } from '../secrets';
import { executionView, type Wants } from './execution-view';
import { liveactionView } from './liveaction-view';

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

export interface ViewerDeps {
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
