import { maskBySchema, type ConfigRecord, type ConfigSchemaRecord } from '@switchyard/model';

/**
 * A configuration as clients see it: without defaults.
 * @param schema determines which values are secret; if undefined, nothing is masked
 */
export function configView(
  { _id, pack, values, problem }: ConfigRecord,
  schema: Pick<ConfigSchemaRecord, 'attributes'> | undefined,
): Record<string, unknown> {
  const shown = schema ? maskBySchema(values, { properties: schema.attributes }) : values;
  return { id: _id, pack, values: shown, ...(problem === undefined ? {} : { error: problem }) };
}
