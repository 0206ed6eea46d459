import { isPlainObject } from '@switchyard/base';
import {
  checkReferenceParts,
  compileSchema,
  toReference,
  toUid,
  wholeTags,
  type Tag,
  type TriggerTypeRecord,
} from '@switchyard/model';

/** The given part of a trigger type; the rest of the record is derived from it. */
export interface TriggerTypeDraft {
  readonly name: string;
  readonly pack: string;
  readonly description?: string;
  readonly payload_schema?: Readonly<Record<string, unknown>>;
  readonly parameters_schema?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly Tag[];
  readonly metadata_file?: string;
}

const text = { type: 'string' };

/** The schema of a trigger type in requests. Unknown members are ignored, as clients expect. */
const shape = compileSchema(
  {
    type: 'object',
    properties: {
      name: text,
      pack: text,
      description: text,
      payload_schema: { type: 'object' },
      parameters_schema: { type: 'object' },
      tags: {
        type: 'array',
        items: { type: 'object', properties: { name: text, value: text } },
      },
      metadata_file: text,
    },
  },
  { allowNone: true },
);

/**
 * Checks a trigger type from a client or a file.
 * @throws Fault `resource.reference`, `resource.pack-dot`, `schema.violated`, `schema.invalid`
 */
export function checkTriggerType(input: unknown): TriggerTypeDraft {
  const given = isPlainObject(input) ? withoutNulls(input) : input;
  shape.assert(given);
  const { name, pack, description, payload_schema, parameters_schema, tags, metadata_file } = given as TriggerTypeDraft;
  checkReferenceParts(pack, name);
  for (const schema of [payload_schema, parameters_schema]) if (schema) compileSchema(schema, { allowNone: true });
  return {
    name,
    pack,
    ...(description === undefined ? {} : { description }),
    ...(payload_schema ? { payload_schema } : {}),
    ...(parameters_schema ? { parameters_schema } : {}),
    tags: wholeTags(tags),
    ...(metadata_file === undefined ? {} : { metadata_file }),
  };
}

const withoutNulls = (given: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

/** Builds the record of a type, without an id. */
export function triggerTypeRecord(draft: TriggerTypeDraft): Omit<TriggerTypeRecord, '_id'> {
  const { name, pack, description, payload_schema = {}, parameters_schema = {}, tags = [] } = draft;
  return {
    ref: toReference(pack, name),
    uid: toUid('trigger_type', pack, name),
    name,
    pack,
    ...(description === undefined ? {} : { description }),
    payload_schema: { ...payload_schema },
    parameters_schema: { ...parameters_schema },
    tags: [...tags],
    metadata_file: draft.metadata_file ?? '',
  };
}

/** A simple type has exactly one trigger, named like the type. */
export const isSimple = ({ parameters_schema }: Pick<TriggerTypeRecord, 'parameters_schema'>): boolean =>
  Object.keys(parameters_schema).length === 0;
