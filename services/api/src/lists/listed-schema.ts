import { Type, type TArray, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';

/** A `LeftOut` of the page's budget. */
const leftOutPart = Type.Object(
  { attribute: Type.String(), size: Type.Integer(), link: Type.String() },
  { title: 'LeftOutPart' },
);

/** The field that `PageBudget.fit` adds to a record. */
const leftOut = Type.Optional(
  Type.Array(leftOutPart, {
    description: 'Parts that are too large for a list, with their size in bytes and their address',
  }),
);

const unreadable = Type.Optional(
  Type.String({ description: 'Why the record cannot be shown; the item then has only its id' }),
);

/**
 * The schema of a list of records. Clients select attributes, large parts are left out, and a damaged record does not
 * affect the others.
 */
export const listed = (answer: TObject): TArray =>
  Type.Array(Type.Object({ ...partly(answer), unreadable, left_out: leftOut }, optionsOf(answer, 'Listed')));

/** The schema of one record of which clients may select a part. */
export const inPart = (answer: TObject): TObject =>
  Type.Object({ ...partly(answer), unreadable }, optionsOf(answer, 'Partial'));

/** The options of a schema that differs from another one. Its name gets a prefix. */
const optionsOf = ({ additionalProperties, title }: TObject, prefix: string) => ({
  ...(additionalProperties === undefined ? {} : { additionalProperties }),
  ...(title === undefined ? {} : { title: prefix + title }),
});

/** Makes everything optional except the id, including the members of nested objects. */
function partly({ properties: { id, ...others } }: TObject): TProperties {
  const optional = Object.entries(others).map(([name, schema]) => [name, Type.Optional(loosened(schema))]);
  return { ...(id ? { id } : {}), ...(Object.fromEntries(optional) as TProperties) };
}

function loosened(schema: TSchema): TSchema {
  const { required, ...loose } = schema as TSchema & { required?: unknown };
  return required === undefined || schema.title === undefined ? loose : { ...loose, title: `Partial${schema.title}` };
}
