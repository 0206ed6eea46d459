import { Type } from '@sinclair/typebox';
import { aliasSchema } from '../../aliases/alias-view';
import { executionSchema } from '../executions/schema';

export const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** One run that has begun. */
export const startedSchema = Type.Object({
  execution: executionSchema,
  actionalias: aliasSchema,
  message: Type.Optional(Type.String({ description: 'What to answer, if the alias says so' })),
  extra: Type.Optional(Type.Unknown({ description: 'For chat adapters' })),
});
