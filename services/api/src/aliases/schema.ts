import { actionAliasAnswer, executionAnswer } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';

/** One run that has started. */
export const startedSchema = Type.Object({
  execution: executionAnswer,
  actionalias: actionAliasAnswer,
  message: Type.Optional(Type.String({ description: 'What to answer, if the alias says so' })),
  extra: Type.Optional(Type.Unknown({ description: 'For chat adapters' })),
});
