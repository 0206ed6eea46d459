import {
  boundedText,
  DEEPEST_RESULT,
  defaultDataLimits,
  excessText,
  findExcess,
  isFault,
  isLargeJson,
  jsonPieces,
  keptAsText,
  keyedQueue,
  KIB,
  messageOf,
  parseLargeJson,
  slices,
  type DataLimits,
} from '@switchyard/base';
import { compileSchema, type ExecutionRecord, type Schema } from '@switchyard/model';
import type { RecordPath, Store } from '@switchyard/storage';
import type { RecordSecrets } from './execution-record';

/** Results up to this size are stored in the record, larger ones as blobs. */
const INLINE_BYTES = 256 * KIB;

/** The fields of a write that carries a result. */
export interface StoredResult {
  set: Pick<Partial<ExecutionRecord>, 'result' | 'result_blob' | 'sealed_result' | 'result_size'>;
  unset: RecordPath<ExecutionRecord>[];
}

/** Stores results and reads them back. */
export interface ResultStore {
  /** Prepares a result for the record; a large one is in the store when this returns. */
  store(
    record: Pick<ExecutionRecord, 'definition'>,
    result: Record<string, unknown>,
    /** Marks further parts as secret, besides the action's output schema. */
    schema?: Schema,
  ): Promise<StoredResult>;
  /** Removes the blob that `store` has written, when the record was not changed after all. */
  discard(stored: StoredResult): Promise<void>;
  /** Removes the blob of a result that was replaced. */
  dropFormer(before: Pick<ExecutionRecord, 'result_blob'>): Promise<void>;
  /** The result as JSON text, masked; undefined when there is none. */
  text(record: ExecutionRecord): Promise<string | undefined>;
  /** @param open whether to restore secrets in place of their masks */
  load(record: ExecutionRecord, open: boolean): Promise<Record<string, unknown> | undefined>;
}

export function createResultStore(
  store: Pick<Store, 'blobs' | 'definitions'>,
  secrets: RecordSecrets,
  limits: DataLimits = defaultDataLimits,
): ResultStore {
  const text = async ({ result, result_blob }: ExecutionRecord) =>
    result ?? (result_blob && (await store.blobs.get(result_blob)));
  // Each needs its size once more while it is written, and dozens may end in the same moment.
  const largeInTurn = keyedQueue();
  const put = async (json: readonly string[]): Promise<Written> => {
    const bytes = await lengthOf(json);
    if (bytes <= INLINE_BYTES) return { result: json.join(''), result_size: bytes };
    return { result_blob: await store.blobs.put(json), result_size: bytes };
  };
  return {
    async store(record, result, schema) {
      const { masked, sealed } = await secrets.sealResult(record, boundedResult(result, limits), schema);
      const isLarge = isLargeJson(masked);
      const written = await (isLarge
        ? largeInTurn('', async () => put(await jsonPieces(masked)))
        : put([JSON.stringify(masked)]));
      return {
        set: { ...written, ...(sealed === undefined ? {} : { sealed_result: sealed }) },
        unset: [
          written.result_blob ? 'result' : 'result_blob',
          ...(sealed === undefined ? (['sealed_result'] as const) : []),
        ],
      };
    },
    async discard({ set: { result_blob } }) {
      if (result_blob) await store.blobs.remove(result_blob);
    },
    async dropFormer({ result_blob: blob }) {
      if (blob) await store.blobs.remove(blob);
    },
    text,
    async load(record, open) {
      const json = await text(record);
      if (json === undefined) return undefined;
      const masked = await readable(json);
      if (!masked) return { unreadable: `nested deeper than ${DEEPEST_RESULT} levels`, size: Buffer.byteLength(json) };
      return open ? secrets.openResult(record, masked) : masked;
    },
  };
}

type Written = Pick<StoredResult['set'], 'result' | 'result_blob' | 'result_size'>;

/** The length as UTF-8, in bytes. */
async function lengthOf(pieces: readonly string[]): Promise<number> {
  const turn = slices();
  let bytes = 0;
  for (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    await turn.next();
  }
  return bytes;
}

const NEVER = Number.POSITIVE_INFINITY;
const READABLE = { maxDepth: DEEPEST_RESULT, maxMembers: NEVER, maxKeyLength: NEVER, maxStringLength: NEVER };

/** @returns undefined for JSON that is nested too deep */
async function readable(json: string): Promise<Record<string, unknown> | undefined> {
  try {
    return (await parseLargeJson(json, READABLE)) as Record<string, unknown>;
  } catch (error) {
    if (!isFault(error)) throw error;
    // A key with a NUL character is harmless inside JSON text.
    return error.code === 'data.key' ? (JSON.parse(json) as Record<string, unknown>) : undefined;
  }
}

/** Results add a few levels around values: hosts, tasks, items. */
const OWN_LEVELS = 8;

/**
 * Replaces members beyond a limit by their JSON text with a note. Runners limit what they read themselves;
 * this is for results of workflows, callers and expressions.
 */
export function boundedResult(result: Record<string, unknown>, limits: DataLimits): Record<string, unknown> {
  const roomy = { ...limits, maxDepth: limits.maxDepth + OWN_LEVELS };
  const bounded = Object.entries(result).map(([key, member]) => [key, boundedMember(member, roomy)] as const);
  return bounded.every(([key, member]) => member === result[key]) ? result : Object.fromEntries(bounded);
}

function boundedMember(member: unknown, limits: DataLimits): unknown {
  if (typeof member === 'string') return boundedText(member, limits);
  const excess = findExcess(member, limits);
  return excess ? keptAsText(textOf(member), excessText(excess), limits) : member;
}

/** Empty for a value that is nested too deep for JSON.stringify. */
function textOf(member: unknown): string {
  try {
    return JSON.stringify(member);
  } catch {
    return '';
  }
}

/**
 * Checks the result of a successful run against the schemas of its runner and its action, if the option is on.
 * @returns the result of the failure; undefined for a valid result
 */
export type OutputCheck = (
  record: Pick<ExecutionRecord, 'definition'>,
  result: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown> | undefined>;

const MESSAGE = 'Error validating output. See error output for more details.';

/** @param isOn option `system.validate_output_schema` */
export function createOutputCheck(definitions: Store['definitions'], isOn: boolean): OutputCheck {
  return async ({ definition: id }, result) => {
    if (!isOn || Object.keys(result).length === 0) return undefined;
    const definition = await definitions.get(id);
    const { output_schema: whole, output_key: key } = definition?.runner ?? {};
    // Without a runner schema there is no member that an action's schema could describe.
    if (!definition || !isSchema(whole)) return undefined;
    const part = definition.action.output_schema;
    const error =
      violation(whole, result) ?? (key !== undefined && isSchema(part) ? violation(part, result[key]) : undefined);
    return error === undefined ? undefined : { error, message: MESSAGE };
  };
}

/** The older form, a map of properties, only marks secrets. */
const isSchema = (schema: Schema | undefined): schema is Schema =>
  typeof schema?.['type'] === 'string' || Array.isArray(schema?.['type']);

/** An invalid schema counts as a violation: the run has to end anyway. */
function violation(schema: Schema, value: unknown): string | undefined {
  try {
    const outcome = compileSchema(schema, { fillDefaults: false }).check(value);
    return outcome.ok ? undefined : outcome.violation.message;
  } catch (error) {
    if (isFault(error)) return messageOf(error);
    throw error;
  }
}
