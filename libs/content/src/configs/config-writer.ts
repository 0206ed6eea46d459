import { fault, isPlainObject } from '@switchyard/base';
import { refuseMasks, type ConfigRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { fieldName } from '../check/issue';
import { writeRecord } from '../registrar/write-record';
import { checkConfig } from './check-config';
import { namedConfigFile, replaceFile, configYaml } from './config-file';

export interface ConfigWriterDeps {
  readonly store: Pick<Store, 'configs' | 'configSchemas'>;
  /** Directory of the `<pack>.yaml` files. */
  readonly directory: string;
}

export interface ConfigWriter {
  /**
   * Replaces the configuration of a pack in the store and in its file. It need not exist yet. An existing one that cannot
   * be decrypted, because its key is lost, counts as absent.
   * @param merge combines the given values with the existing ones
   * @throws Fault `pack.config-no-object`, `pack.config-invalid`, `pack.config-name`, `pack.config-write`,
   *   `schema.too-deep`, `schema.mask`; then nothing readable has changed
   */
  save(pack: string, given: unknown, merge?: Merge): Promise<ConfigRecord>;
}

type Values = Record<string, unknown>;
type Merge = (given: Values, before: Values | undefined) => Values;

/** Deeper nesting is never intended, and the file could not be read again. */
const DEEPEST = 100;

export function createConfigWriter({ store, directory }: ConfigWriterDeps): ConfigWriter {
  /** Writes in progress, by pack. Two at once could leave file and store different. */
  const turns = new Map<string, Promise<unknown>>();
  return {
    async save(pack, given, merge = (values) => values) {
      const file = namedConfigFile(directory, pack);
      if (!isPlainObject(given)) throw fault('pack.config-no-object', { pack });
      if (isDeeper(given, DEEPEST)) throw fault('schema.too-deep');
      const saving = (turns.get(pack) ?? Promise.resolve()).then(() =>
        save(store, { pack, file, make: (before) => merge(given, before) }),
      );
      const turn = saving.catch(() => undefined);
      turns.set(pack, turn);
      void turn.then(() => turns.get(pack) === turn && turns.delete(pack));
      return saving;
    },
  };
}

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((item) => isDeeper(item, depth - 1)));

interface Saving {
  readonly pack: string;
  readonly file: string;
  make(before: Values | undefined): Values;
}

async function save(
  { configs, configSchemas }: ConfigWriterDeps['store'],
  { pack, file, make }: Saving,
): Promise<ConfigRecord> {
  const [schema, [before]] = await Promise.all([configSchemas.byKey(pack), configs.list({ filter: { pack } })]);
  const values = make(before?.problem === undefined ? before?.values : undefined);
  if (schema) refuseMasks(values, { properties: schema.attributes });
  const [found] = schema ? checkConfig(values, schema.attributes) : [];
  if (found) throw fault('pack.config-invalid', { field: fieldName(found.path), pack, file, text: found.text });
  await replaceFile(file, await configYaml(values), async () => {
    await writeRecord(configs, pack, { pack, values }, before);
    return async () => {
      // A record that cannot be decrypted cannot be restored.
      if (before?.problem !== undefined) return;
      await (before ? configs.replace(before) : configs.removeOf(pack));
    };
  });
  const record = await configs.byKey(pack);
  // The pack may have been removed meanwhile.
  if (!record) throw fault('resource.changed-meanwhile', { id: pack });
  return record;
}
