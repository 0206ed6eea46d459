import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fault, isPlainObject, messageOf } from '@switchyard/base';
import type { DatastoreKey } from '@switchyard/expressions';
import { fillDefaults } from '@switchyard/model';
import { readYaml } from '../yaml/read-yaml';
import { renderConfig } from './render-config';

export interface PackConfigDeps {
  /** Directory of `<pack>.yaml` files with the values. */
  readonly configs: string;
  /** Reads an item of the datastore for the templates in values. */
  lookup(key: DatastoreKey): Promise<string | undefined>;
}

/**
 * The configuration of a pack as its sensors and actions get it: the values, rendered, and for what is missing the defaults of the
 * schema.
 * @throws Fault `pack.config`
 */
export async function resolvePackConfig(
  { configs, lookup }: PackConfigDeps,
  pack: string,
  packDirectory: string | undefined,
): Promise<Record<string, unknown>> {
  const values = await readObject(pack, join(configs, `${pack}.yaml`));
  const properties = packDirectory ? await readObject(pack, join(packDirectory, 'config.schema.yaml')) : {};
  const rendered = await renderConfig(values, properties, lookup).catch((error: unknown) => {
    throw fault('pack.config', { pack, reason: messageOf(error) });
  });
  return fillDefaults(rendered, withObjects({ type: 'object', properties })) as Record<string, unknown>;
}

/** A file that is not there, or is empty, says nothing. */
async function readObject(pack: string, path: string): Promise<Record<string, unknown>> {
  const refuse = (reason: string) => fault('pack.config', { pack, reason: `${path}: ${reason}` });
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw refuse(messageOf(error));
  }
  const { value, problems } = readYaml(text);
  if (problems[0]) throw refuse(`line ${problems[0].line}: ${problems[0].text}`);
  if (value === null || value === undefined) return {};
  if (!isPlainObject(value)) throw refuse('it has to be an object');
  return value;
}

/** Objects that are not given at all exist for the sake of the defaults in them. */
function withObjects(schema: Record<string, unknown>): Record<string, unknown> {
  if (!isPlainObject(schema['properties'])) return schema;
  const properties = Object.entries(schema['properties']).map(([name, property]) => {
    if (!isPlainObject(property) || !isPlainObject(property['properties'])) return [name, property];
    return [name, { default: {}, ...withObjects(property) }];
  });
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, unknown> };
}
