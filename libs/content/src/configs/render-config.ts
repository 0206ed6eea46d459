import { isPlainObject } from '@switchyard/base';
import { MissingItem, renderText, type DatastoreKey } from '@switchyard/expressions';

export type Lookup = (key: DatastoreKey) => Promise<string | undefined>;

/** A configuration that reads more items than this is not meant. */
const MOST_ITEMS = 200;

/**
 * Renders every text with a template in it, at any depth. Items that the value of a secret attribute reads are decrypted.
 * What renders to nothing is null.
 * @param properties the schema of the attributes, by name
 */
export async function renderConfig(
  values: Record<string, unknown>,
  properties: Record<string, unknown>,
  lookup: Lookup,
): Promise<Record<string, unknown>> {
  const items = new Map<string, string | undefined>();
  const read = (key: DatastoreKey) => {
    if (!items.has(JSON.stringify(key))) throw new MissingItem(key);
    return items.get(JSON.stringify(key));
  };
  for (;;) {
    try {
      return rendered(values, { properties }, read) as Record<string, unknown>;
    } catch (error) {
      // Rendering cannot wait: what it asks for is fetched, and it starts anew.
      if (!(error instanceof MissingItem)) throw error;
      if (items.size >= MOST_ITEMS) throw new Error(`more than ${MOST_ITEMS} datastore items are read`);
      items.set(JSON.stringify(error.key), await lookup(error.key));
    }
  }
}

type Read = (key: DatastoreKey) => string | undefined;

function rendered(value: unknown, schema: unknown, read: Read): unknown {
  if (typeof value === 'string') return renderedText(value, isPlainObject(schema) && schema['secret'] === true, read);
  if (Array.isArray(value)) return value.map((item) => rendered(item, isPlainObject(schema) && schema['items'], read));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, rendered(item, propertyOf(schema, name), read)]),
  );
}

function propertyOf(schema: unknown, name: string): unknown {
  if (!isPlainObject(schema)) return undefined;
  const { properties, additionalProperties } = schema;
  return isPlainObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
}

function renderedText(text: string, secret: boolean, read: Read): string | null {
  if (!/\{\{|\{%/.test(text)) return text;
  const datastore = (key: DatastoreKey) => read(secret ? { ...key, decrypt: true } : key);
  const result = renderText(text, {}, { datastore, missing: 'lenient' });
  return result === '' ? null : result;
}
