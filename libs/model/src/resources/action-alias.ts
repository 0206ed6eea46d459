import { Type, type Static } from '@sinclair/typebox';
import type { WrittenFormat } from '../alias';
import { executionAnswer } from './execution';
import { anyObject, described, flag, packContent, sortable, text, textOrNull } from './fields';

export interface AliasResult {
  enabled?: boolean | null;
  /** A template. */
  format?: string | null;
  /** For chat adapters; its texts are templates. */
  extra?: Record<string, unknown> | null;
  [adapter: string]: unknown;
}

export interface AliasAck extends AliasResult {
  append_url?: boolean | null;
}

const said = {
  enabled: { type: ['boolean', 'null'] },
  format: { type: ['string', 'null'], description: 'A template' },
  extra: { type: ['object', 'null'], additionalProperties: true },
};

const writtenFormat = Type.Unsafe<WrittenFormat>({
  anyOf: [
    { type: 'string' },
    {
      title: 'AliasFormat',
      type: 'object',
      properties: {
        display: textOrNull,
        representation: { anyOf: [{ type: ['string', 'null'] }, { type: 'array', items: { type: 'string' } }] },
        match_multiple: { type: ['boolean', 'null'] },
      },
      additionalProperties: true,
    },
  ],
});

/** The format of a chat command, and the action that it runs. */
export const actionAliasRecordSchema = Type.Object({
  ...packContent,
  enabled: flag,
  action_ref: sortable(described(text, 'Reference of the action; it need not exist')),
  formats: Type.Array(writtenFormat),
  ack: Type.Unsafe<AliasAck>({
    title: 'AliasAck',
    type: 'object',
    description: 'The reply when the command is accepted. Any other members are for chat adapters.',
    properties: { ...said, append_url: { type: ['boolean', 'null'] } },
    additionalProperties: true,
  }),
  result: Type.Unsafe<AliasResult>({
    title: 'AliasResult',
    type: 'object',
    description: 'The reply when the execution has ended',
    properties: said,
    additionalProperties: true,
  }),
  extra: described(anyObject, 'For chat adapters'),
  immutable_parameters: described(
    anyObject,
    'Parameters of each execution that commands cannot set; templates in them are rendered',
  ),
  metadata_file: text,
  /** Why the immutable parameters could not be opened; they are empty then, and nothing may run with them. Never stored. */
  problem: Type.Optional(text),
});
export type ActionAliasRecord = Static<typeof actionAliasRecordSchema>;

const { _id, problem: _problem, ...shown } = actionAliasRecordSchema.properties;
/** An alias as the API shows it. */
export const actionAliasAnswer = Type.Object(
  {
    id: _id,
    ...shown,
    error: Type.Optional(described(text, 'Why the stored parameters cannot be decrypted; then none are shown')),
  },
  { title: 'ActionAlias' },
);
export type ActionAlias = Static<typeof actionAliasAnswer>;

/** The alias that a command is for. */
export const aliasMatchAnswer = Type.Object(
  {
    actionalias: actionAliasAnswer,
    display: described(textOrNull, 'The pattern as help shows it'),
    representation: described(text, 'The pattern that the command matches'),
    parameters: Type.Array(Type.Record(text, text), {
      description: 'The texts of the command for each run: several if the format allows several matches',
    }),
  },
  { title: 'AliasMatch' },
);
export type AliasMatch = Static<typeof aliasMatchAnswer>;

/** One execution that a command has started. */
export const startedAliasAnswer = Type.Object(
  {
    execution: executionAnswer,
    actionalias: actionAliasAnswer,
    message: Type.Optional(described(text, 'The acknowledgement, if the alias has one')),
    extra: Type.Optional(Type.Unknown({ description: 'For chat adapters' })),
  },
  { title: 'StartedAlias' },
);
export type StartedAlias = Static<typeof startedAliasAnswer>;
