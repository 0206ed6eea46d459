import { fault } from '@switchyard/base';
import type { ExecutionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { ResultKeeper } from '../result';
import type { SecretKeeper } from '../secrets';
import { executionView } from './execution-view';
import { liveactionView } from './liveaction-view';

export interface ViewOptions {
  /** Secrets in clear. Only for those who may see them. */
  showSecrets?: boolean;
  /** False leaves the result out without reading it. */
  result?: boolean;
  /** False leaves the children out without looking for them. */
  children?: boolean;
}

/** Turns records into what users see. */
export interface Viewer {
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
    showSecrets ? secrets.openParameters(record) : record.parameters;
  const result = async (record: ExecutionRecord, options: ViewOptions) => {
    const found = options.result === false ? undefined : await results.load(record, options.showSecrets ?? false);
    return found === undefined ? {} : { result: found };
  };
  return {
    async execution(record, options = {}) {
      const definition = await store.definitions.get(record.definition);
      if (!definition) throw fault('internal', {}, { cause: new Error(`no definition ${record.definition}`) });
      const withChildren = record.has_children && options.children !== false;
      return executionView(record, {
        definition,
        parameters: parameters(record, options),
        ...(await result(record, options)),
        ...(withChildren ? { children: (await store.executions.childrenOf(record._id)).map(({ _id }) => _id) } : {}),
      });
    },
    async liveaction(record, options = {}) {
      return liveactionView(record, {
        parameters: parameters(record, options),
        ...(await result(record, options)),
      });
    },
  };
}
