import { Type, type TArray, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';

/** The fields that `PageBudget.fit` adds to a record. */
const leftOut = Type.Optional(
  Type.Array(Type.Object({ attribute: Type.String(), size: Type.Integer(), link: Type.String() }), {
    description: 'Parts that are too large for a list, with their size in bytes and where they are',
  }),
);

const unreadable = Type.Optional(
  Type.String({ description: 'What is wrong with a record that cannot be shown; nothing but its id is answered then' }),
);

/**
 * The schema of a list of records. Clients select attributes, large parts are left out, and a damaged record does not
 * affect the others.
 */
export const listed = (answer: TObject): TArray =>
  Type.Array(Type.Object({ ...partly(answer), unreadable, left_out: leftOut }, optionsOf(answer)));

/** The schema of one record of which clients may select a part. */
export const inPart = (answer: TObject): TObject => Type.Object({ ...partly(answer), unreadable }, optionsOf(answer));

const optionsOf = ({ additionalProperties }: TObject) =>
  additionalProperties === undefined ? {} : { additionalProperties };

/** Makes everything optional except the id, including the members of nested objects. */
function partly({ properties: { id, ...others } }: TObject): TProperties {
  const optional = Object.entries(others).map(([name, schema]) => [name, Type.Optional(loosened(schema))]);
  return { ...(id ? { id } : {}), ...(Object.fromEntries(optional) as TProperties) };
}

function loosened(schema: TSchema): TSchema {
  const { required: _, ...loose } = schema as TSchema & { required?: unknown };
  return loose;
}
