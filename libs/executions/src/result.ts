import { DEEPEST_RESULT, defaultDataLimits, isFault, JsonScan, KIB, type DataLimits } from '@switchyard/base';
import type { BlobPointer, ExecutionRecord, Schema } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { boundedResult } from './bounded-result';
import type { SecretKeeper } from './secrets';

/** Results up to this size lie in the record, larger ones beside it. */
const INLINE_BYTES = 256 * KIB;

/** The fields of a write that carries a result. */
export interface StoredResult {
  set: Record<string, unknown>;
  unset: string[];
}

/** Puts results into records and takes them out again. */
export interface ResultKeeper {
  /** Prepares a result for the record; a large one is in the store when this returns. */
  store(
    record: Pick<ExecutionRecord, 'definition'>,
    result: Record<string, unknown>,
    /** Says of further parts that they are secret, besides the action's output schema. */
    schema?: Schema,
  ): Promise<StoredResult>;
  /** Removes what `store` has put beside the record, when the write that was to carry it did not take place. */
  discard(stored: StoredResult): Promise<void>;
  /** Removes what lies beside a record, when another result has taken the place of the one that it had. */
  dropFormer(before: Pick<ExecutionRecord, 'result_blob'>): Promise<void>;
  /** The result as JSON text, masked; undefined when there is none. */
  text(record: ExecutionRecord): Promise<string | undefined>;
  /** @param open with its secrets in place of the masks */
  load(record: ExecutionRecord, open: boolean): Promise<Record<string, unknown> | undefined>;
}

export function createResultKeeper(
  store: Pick<Store, 'blobs' | 'definitions'>,
  secrets: SecretKeeper,
  limits: DataLimits = defaultDataLimits,
): ResultKeeper {
  const text = async ({ result, result_blob }: ExecutionRecord) =>
    result ?? (result_blob && (await store.blobs.get(result_blob)));
  return {
    async store(record, result, schema) {
      const { masked, sealed } = await secrets.sealResult(record, boundedResult(result, limits), schema);
      const json = JSON.stringify(masked);
      const bytes = Buffer.byteLength(json);
      const inline = bytes <= INLINE_BYTES;
      return {
        set: {
          ...(inline ? { result: json } : { result_blob: await store.blobs.put(json) }),
          ...(sealed === undefined ? {} : { sealed_result: sealed }),
          result_size: bytes,
        },
        unset: [inline ? 'result_blob' : 'result', ...(sealed === undefined ? ['sealed_result'] : [])],
      };
    },
    async discard({ set: { result_blob } }) {
      if (result_blob) await store.blobs.remove(result_blob as BlobPointer);
    },
    async dropFormer({ result_blob: blob }) {
      if (blob) await store.blobs.remove(blob);
    },
    text,
    async load(record, open) {
      const json = await text(record);
      if (json === undefined) return undefined;
      const masked = readable(json);
      if (!masked) return { unreadable: `nested deeper than ${DEEPEST_RESULT} levels`, size: Buffer.byteLength(json) };
      return open ? secrets.openResult(record, masked) : masked;
    },
  };
}

const NEVER = Number.POSITIVE_INFINITY;
const READABLE = { ...defaultDataLimits, maxDepth: DEEPEST_RESULT, maxMembers: NEVER };

/** @returns undefined for what is nested too deep */
function readable(json: string): Record<string, unknown> | undefined {
  try {
    new JsonScan(json, READABLE).advance(json.length);
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
  return JSON.parse(json) as Record<string, unknown>;
}
