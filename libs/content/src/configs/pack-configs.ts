import { fault, isPlainObject, messageOf, SHARED_CALL_WAIT_MS, together } from '@switchyard/base';
import {
  type DatastoreLookup,
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
import type { Store } from '@switchyard/storage';
import { fillConfig, schemaBelow } from './config-schema';

export interface PackConfigs {
  /**
   * The configuration that a pack's actions and sensors receive: the stored values with schema defaults, rendered with
   * `lookup`. Empty for a pack without one. Each call reads the store, so changes by any process apply at once; calls for the
   * same pack share a read that begins after them.
   * @throws Fault `pack.config`, `pack.config-value`, `storage.config`
   */
  of(pack: string, lookup: DatastoreLookup): Promise<RenderedConfig>;
}

export const createPackConfigs = ({
  configs,
  configSchemas,
}: Pick<Store, 'configs' | 'configSchemas'>): PackConfigs => {
  const read = together(
    async (packs: readonly string[]) => {
      const distinct = [...new Set(packs)];
      const found = new Map(
        distinct.map((pack) => [pack, Promise.all([configs.byKey(pack), configSchemas.byKey(pack)])] as const),
      );
      // A configuration that cannot be read fails only the calls for its pack.
      await Promise.allSettled(found.values());
      return packs.map((pack) => found.get(pack)!);
    },
    { waitMs: SHARED_CALL_WAIT_MS },
  );
  return {
    async of(pack, lookup) {
      const [config, schema] = await read(pack);
      const attributes = schema?.attributes ?? {};
      return renderConfig(pack, fillConfig(config?.values ?? {}, attributes), attributes, lookup);
    },
  };
};

/** No intended configuration reads more datastore items. */
const MOST_ITEMS = 200;

export interface RenderedConfig {
  readonly values: Readonly<Record<string, unknown>>;
  /** Paths of values marked as secret by the schema, and of values that contain a decrypted datastore item. */
  readonly secrets: readonly SecretPath[];
}

/**
 * Renders all templates, at any depth. Datastore items read by secret attributes are decrypted. An empty result becomes
 * the schema default, or null. Text is cast to the type in the schema.
 * @param attributes the schemas of the attributes, by name
 * @throws Fault `pack.config-value`, and whatever `lookup` throws
 */
async function renderConfig(
  pack: string,
  values: Record<string, unknown>,
  attributes: Record<string, unknown>,
  lookup: DatastoreLookup,
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
    // A text may have been cast to an object that contains secrets.
    const found = extractSecrets(result, schema).secrets.map(({ path }) => path);
    return { values: result, secrets: distinct([...marked, ...found, ...decrypted]) };
  };
  // Rendering is synchronous: a missing item interrupts it, is fetched, and rendering restarts.
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
  /** Paths of secrets, as JSON. */
  readonly isMarked: ReadonlySet<string>;
  /** Collects the paths of texts that decrypt items. */
  readonly decrypted: SecretPath[];
}

/** The position of a value. */
interface Site {
  readonly schema: Record<string, unknown> | undefined;
  readonly path: readonly (string | number)[];
  /** The value or one of its parents is marked as secret. */
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

/** Templates render to text; if the schema expects another type, the text is cast to it. */
function cast(text: string, type: unknown): unknown {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const [first] = types.filter((name) => name !== 'null');
  return types.includes('string') || typeof first !== 'string' ? text : castTo(first, text);
}

/** Error messages quote values, so both value and reason are masked for secrets. */
function unusable(text: string, { path, secret }: Site, { pack }: Rendering, error: unknown): Error {
  const shown = secret ? { value: MASK, reason: 'the value and the reason are secret' } : { value: text };
  return fault('pack.config-value', { pack, key: path.join('.'), reason: messageOf(error), ...shown });
}
