import type { ActionAliasRecord, AliasAck, AliasResult } from '../resources/action-alias';
import { checkReferenceParts, toReference, toUid } from '../records/reference';
import { compileSchema } from '../schema';
import type { WrittenFormat } from './alias-formats';
import { checkAliasFormats } from './match-alias';

export type ActionAliasDraft = Omit<ActionAliasRecord, '_id'>;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const object = { type: 'object' };
const needed = { type: 'string', minLength: 1, required: true };

const writtenFormat = {
  anyOf: [
    text,
    {
      type: 'object',
      properties: {
        display: text,
        representation: { type: 'array', items: text },
        match_multiple: { type: ['boolean', 'null'] },
      },
    },
  ],
};

/** Settings for the acknowledgement and the result of a command, and for chat adapters. */
const said = { enabled: flag, format: text, extra: object };

/** The accepted form of an alias, in files and in requests. */
const aliasShape = {
  type: 'object',
  properties: {
    pack: { ...text, required: true },
    name: { ...text, required: true },
    action_ref: needed,
    description: text,
    enabled: { type: 'boolean', default: true },
    formats: { type: 'array', items: writtenFormat, required: true },
    ack: { type: 'object', properties: { ...said, append_url: flag } },
    result: { type: 'object', properties: said },
    extra: object,
    immutable_parameters: { type: 'object', secret: true },
    metadata_file: text,
    // Computed by the system; given values are ignored.
    id: text,
    ref: text,
    uid: text,
  },
  additionalProperties: false,
};

interface Given extends Pick<ActionAliasRecord, 'name' | 'pack' | 'action_ref' | 'enabled'> {
  readonly description?: string | null;
  readonly formats: WrittenFormat[];
  readonly ack?: AliasAck | null;
  readonly result?: AliasResult | null;
  readonly extra?: Record<string, unknown> | null;
  readonly immutable_parameters?: Record<string, unknown> | null;
  readonly metadata_file?: string | null;
}

/**
 * Checks an alias and builds its record, without an id.
 * @throws Fault `schema.violated`, `resource.reference`, `resource.pack-dot`, `alias.invalid-format`, `request.pattern-too-long`
 */
export function checkAlias(input: unknown, maxPatternLength?: number): ActionAliasDraft {
  const given = compileSchema(aliasShape, { allowNone: true }).assert(input) as Given;
  const { name, pack, description } = given;
  checkReferenceParts(pack, name);
  checkAliasFormats(given.formats, maxPatternLength);
  return {
    ref: toReference(pack, name),
    uid: toUid('action_alias', pack, name),
    name,
    pack,
    ...(description ? { description } : {}),
    enabled: given.enabled,
    action_ref: given.action_ref,
    formats: given.formats,
    ack: given.ack ?? {},
    result: given.result ?? {},
    extra: given.extra ?? {},
    immutable_parameters: given.immutable_parameters ?? {},
    metadata_file: given.metadata_file ?? '',
  };
}
