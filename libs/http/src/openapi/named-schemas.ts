import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '@switchyard/base';

type Json = Record<string, unknown>;

/** Collects the schemas of a document that have a name, which is their `title`. */
export interface NamedSchemas {
  /**
   * Replaces each named schema within a value by a reference to the component.
   * @throws a plain Error if two different schemas have the same name, which is a mistake in the program
   */
  refer<T>(value: T): unknown;
  /** The named schemas so far, by name. */
  components(): Json;
}

export function namedSchemas(): NamedSchemas {
  const found = new Map<string, Json>();
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer);
    if (!isPlainObject(value)) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, refer(member)]));
    // A schema may also have a property named title, which is an object.
    return typeof value['title'] === 'string' && isSchema(value) ? component(value['title'], inner) : inner;
  };
  const component = (name: string, { title: _, ...schema }: Json): Json => {
    const known = found.get(name);
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`Two different schemas have the name ${name}.`);
    found.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  };
  return {
    refer,
    components: () => Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const isSchema = (value: Json): boolean => ['type', 'anyOf', 'allOf'].some((keyword) => keyword in value);
