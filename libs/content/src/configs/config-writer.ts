import { fault, isPlainObject } from '@switchyard/base';
import { refuseMasks, type ConfigRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { fieldName } from '../check/issue';
import { writeRecord } from '../registrar/write-record';
import { checkConfig } from './check-config';
import { namedConfigFile, replaceFile } from './config-file';
import { configYaml } from './config-yaml';

export interface ConfigWriterDeps {
  readonly store: Pick<Store, 'configs' | 'configSchemas'>;
  /** Where `<pack>.yaml` lies. */
  readonly directory: string;
}

export interface ConfigWriter {
  /**
   * Replaces the configuration of a pack, which need not exist: in the store, and in its file.
   * @param merge makes the new values of those that were given and those that were there
   * A former one that cannot be opened, as its key is gone, counts as none.
   * @throws Fault `pack.config-no-object`, `pack.config-invalid`, `pack.config-name`, `pack.config-write`, `schema.too-deep`,
   *   `schema.mask`;
   *   nothing that can be read has changed then
   */
  save(pack: string, given: unknown, merge?: Merge): Promise<ConfigRecord>;
}

type Values = Record<string, unknown>;
type Merge = (given: Values, before: Values | undefined) => Values;

/** A configuration that is nested more deeply is not meant, and its file could not be read. */
const DEEPEST = 100;

export function createConfigWriter({ store, directory }: ConfigWriterDeps): ConfigWriter {
  /** By pack: what is under way. File and store would differ if two were. */
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
  await replaceFile(file, configYaml(values), async () => {
    await writeRecord(configs, pack, { pack, values }, before);
    return async () => {
      // What cannot be opened cannot be put back.
      if (before?.problem !== undefined) return;
      await (before ? configs.replace(before) : configs.removeOf(pack));
    };
  });
  const record = await configs.byKey(pack);
  // Somebody else may have removed the pack in the same moment.
  if (!record) throw fault('resource.changed-meanwhile', { id: pack });
  return record;
}
