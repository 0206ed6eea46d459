import { maskBySchema, type ConfigRecord, type ConfigSchemaRecord } from '@switchyard/model';
import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  id: Type.String(),
  pack: Type.String(),
  values: Type.Record(Type.String(), Type.Any()),
  error: Type.Optional(Type.String({ description: 'Why the stored values cannot be opened; none are shown then' })),
});

/**
 * A configuration as clients see it: without its defaults.
 * @param schema says which values are secret; undefined shows everything
 */
export function configView(
  { _id, pack, values, problem }: ConfigRecord,
  schema: Pick<ConfigSchemaRecord, 'attributes'> | undefined,
): Record<string, unknown> {
  const shown = schema ? maskBySchema(values, { properties: schema.attributes }) : values;
  return { id: _id, pack, values: shown, ...(problem === undefined ? {} : { error: problem }) };
}
