import { Type, type TArray, type TObject } from '@sinclair/typebox';

/** What `PageBudget.fit` adds to a record. */
const leftOut = Type.Optional(
  Type.Array(Type.Object({ attribute: Type.String(), size: Type.Integer(), link: Type.String() }), {
    description: 'Parts that are too large for a list, with their size in bytes and where they are',
  }),
);

/** A list of records. @param large attributes that a list may have to leave out */
export const listed = (record: TObject, ...large: readonly string[]): TArray => {
  const properties = Object.entries(record.properties).map(([name, schema]) => [
    name,
    large.includes(name) ? Type.Optional(schema) : schema,
  ]);
  return Type.Array(Type.Object({ ...(Object.fromEntries(properties) as TObject['properties']), left_out: leftOut }));
};
