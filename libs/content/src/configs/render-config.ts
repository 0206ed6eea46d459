import { fault, isPlainObject, messageOf } from '@switchyard/base';
import {
  Interruption,
  inTurns,
  isTemplate,
  MissingItem,
  parsedTemplate,
  renderText,
  type DatastoreKey,
  type SecretPath,
} from '@switchyard/expressions';
import { castTo, extractSecrets, MASK } from '@switchyard/model';
import { schemaBelow } from './schema-below';

export type Lookup = (key: DatastoreKey) => Promise<string | undefined>;

/** A configuration that reads more items than this is not meant. */
const MOST_ITEMS = 200;

export interface RenderedConfig {
  readonly values: Readonly<Record<string, unknown>>;
  /** Where the schema says that a secret is, and where the plain text of a secret item was read. */
  readonly secrets: readonly SecretPath[];
}

/**
 * Renders every text with a template in it, at any depth. Items that the value of a secret attribute reads are decrypted. What
 * renders to nothing is the default of the schema, or null. A text in place of another type is cast to that.
 * @param attributes the schemas of the attributes, by name
 * @throws Fault `pack.config-value`, besides what `lookup` throws
 */
export async function renderConfig(
  pack: string,
  values: Record<string, unknown>,
  attributes: Record<string, unknown>,
  lookup: Lookup,
): Promise<RenderedConfig> {
  const schema = { properties: attributes };
  const marked = extractSecrets(values, schema).secrets.map(({ path }) => path);
  if (!isTemplate(values)) return { values, secrets: marked };
  const items = new Map<string, string | undefined>();
  const read = (key: DatastoreKey) => {
    if (!items.has(JSON.stringify(key))) throw new MissingItem(key);
    return items.get(JSON.stringify(key));
  };
  const site = { schema, path: [], secret: false };
  const isMarked = new Set(marked.map(keyOf));
  const work = (): RenderedConfig => {
    const decrypted: SecretPath[] = [];
    const result = rendered(values, site, { pack, read, isMarked, decrypted }) as Record<string, unknown>;
    // A text may have become an object with secrets in it.
    const found = extractSecrets(result, schema).secrets.map(({ path }) => path);
    return { values: result, secrets: distinct([...marked, ...found, ...decrypted]) };
  };
  // Rendering cannot wait: what it asks for is fetched, and it starts anew.
  return inTurns(work, async (interruption) => {
    if (!(interruption instanceof MissingItem)) throw interruption;
    if (items.size >= MOST_ITEMS)
      throw fault('pack.config', { pack, reason: `more than ${MOST_ITEMS} datastore items are read` });
    items.set(JSON.stringify(interruption.key), await lookup(interruption.key));
  });
}

const keyOf = (path: SecretPath): string => JSON.stringify(path);

const distinct = (paths: readonly SecretPath[]): SecretPath[] => [
  ...new Map(paths.map((path) => [keyOf(path), path])).values(),
];

interface Rendering {
  readonly pack: string;
  readonly read: (key: DatastoreKey) => string | undefined;
  /** Places that are marked as secrets, as JSON. */
  readonly isMarked: ReadonlySet<string>;
  /** Gets the places of texts that ask for the plain text of secret items. */
  readonly decrypted: SecretPath[];
}

/** Where a value stands. */
interface Site {
  readonly schema: Record<string, unknown> | undefined;
  readonly path: readonly (string | number)[];
  /** It, or something that it is in, is marked as a secret. */
  readonly secret: boolean;
}

function below(above: Site, step: string | number, { isMarked }: Rendering): Site {
  const schema = schemaBelow(above.schema, step);
  const path = [...above.path, step];
  return { schema, path, secret: above.secret || schema?.['secret'] === true || isMarked.has(keyOf(path)) };
}

function rendered(value: unknown, site: Site, rendering: Rendering): unknown {
  if (typeof value === 'string') return isTemplate(value) ? renderedText(value, site, rendering) : value;
  if (Array.isArray(value)) return value.map((item, index) => rendered(item, below(site, index, rendering), rendering));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, rendered(item, below(site, name, rendering), rendering)]),
  );
}

function renderedText(text: string, site: Site, rendering: Rendering): unknown {
  const { schema, path, secret } = site;
  const decrypts = parsedTemplate(text)?.decrypts === true;
  if (decrypts) rendering.decrypted.push(path);
  const read = (key: DatastoreKey) => rendering.read(secret ? { ...key, decrypt: true } : key);
  try {
    const result = renderText(text, {}, { datastore: read, missing: 'lenient' });
    if (result !== '') return cast(result, schema?.['type']);
  } catch (error) {
    if (error instanceof Interruption) throw error;
    throw unusable(text, { ...site, secret: secret || decrypts }, rendering, error);
  }
  const preset = schema?.['default'] ?? null;
  return preset === text ? null : rendered(preset, site, rendering);
}

/** What a template makes is a text; where the schema has no place for one, it is what the text stands for. */
function cast(text: string, type: unknown): unknown {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const [first] = types.filter((name) => name !== 'null');
  return types.includes('string') || typeof first !== 'string' ? text : castTo(first, text);
}

/** Errors quote what they are about, which must not be told of a secret. */
function unusable(text: string, { path, secret }: Site, { pack }: Rendering, error: unknown): Error {
  const shown = secret ? { value: MASK, reason: 'the value is secret, and so is the reason' } : { value: text };
  return fault('pack.config-value', { pack, key: path.join('.'), reason: messageOf(error), ...shown });
}
