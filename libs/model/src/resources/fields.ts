import { Type, type Static, type TObject, type TSchema, type TUnsafe } from '@sinclair/typebox';

export const text = Type.String();
export const flag = Type.Boolean();
export const whole = Type.Integer();
export const texts = Type.Array(text);
/** Microseconds since 1970, the stored form of times. */
export const micros = Type.Integer({ description: 'Microseconds since 1970' });
/** Times in API responses. */
export const isoTime = Type.String({ format: 'date-time' });
/** A date of the store. In JSON it is a text. */
export const date = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
export const anyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });
export const objects = Type.Array(anyObject);

/** One of several texts. */
export const oneOfTexts = <T extends string>(values: readonly T[], description?: string): TUnsafe<T> =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description === undefined ? {} : { description }) });

export const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const wholeOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

/** A JSON schema for each name. */
export const schemaByName = Type.Unsafe<Record<string, Record<string, unknown>>>({
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: true },
});

export const described = <S extends TSchema>(schema: S, description: string): S => ({ ...schema, description });

/** The attributes of a resource that requests can select, in the order of its schema. Of open schemas it names the known ones. */
export const attributeNames = (answer: TObject): readonly string[] => Object.keys(answer.properties);

const SORT_KEYS = Symbol('sort keys');

/**
 * Marks a field of a record that lists can be sorted by.
 * @param keys what clients sort by → the path below the field, empty for the field itself. Default: the name of the field
 */
export const sortable = <S extends TSchema>(schema: S, keys?: Readonly<Record<string, string>>): S => ({
  ...schema,
  // JSON leaves symbols out, so the API document does not have it.
  [SORT_KEYS]: keys ?? OWN_NAME,
});

const OWN_NAME = Symbol('own name');

/** What clients can sort a list of these records by → the path of the stored field. */
export function sortKeys(record: TObject): Readonly<Record<string, string>> {
  const marked = Object.entries(record.properties).flatMap(([field, schema]) => {
    const keys = (schema as { [SORT_KEYS]?: Readonly<Record<string, string>> | typeof OWN_NAME })[SORT_KEYS];
    if (keys === undefined) return [];
    if (keys === OWN_NAME) return [[field === '_id' ? 'id' : field, field]];
    return Object.entries(keys).map(([key, below]) => [key, below === '' ? field : `${field}.${below}`]);
  });
  return Object.fromEntries(marked) as Record<string, string>;
}

/** The common fields of resources in packs. */
export const packContent = {
  _id: sortable(text),
  ref: sortable(described(text, 'pack.name')),
  uid: text,
  name: sortable(text),
  pack: sortable(text),
  description: Type.Optional(text),
};

export const tag = Type.Object({ name: text, value: text }, { title: 'Tag' });
export type Tag = Static<typeof tag>;
