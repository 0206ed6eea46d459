import { Schema } from 'mongoose';
import type { RecordPath } from '../filter';

/** How a collection is stored. The shape of its records is declared in `@switchyard/model/resources`. */
export interface Layout<T> {
  /** Fields without which a damaged record cannot be used. */
  readonly needed: readonly (keyof T & string)[];
  readonly indexes: readonly LayoutIndex<T>[];
}

export interface LayoutIndex<T> {
  /** 1 for ascending. */
  readonly fields: { readonly [P in RecordPath<T>]?: 1 | -1 };
  readonly options?: {
    readonly unique?: true;
    readonly sparse?: true;
    readonly expireAfterSeconds?: number;
    readonly partialFilterExpression?: Readonly<Record<string, unknown>>;
  };
}

/**
 * Declares the indexes of a collection to mongoose, but not the shape of its records. All reads and writes go directly to the
 * driver's collection. mongoose provides only the connection, with its pool, errors and buffering.
 */
export function mongooseSchema<T>({ indexes }: Layout<T>): Schema {
  const schema = new Schema(
    { _id: String },
    { strict: false, versionKey: false, minimize: false, autoIndex: false, autoCreate: false },
  );
  for (const { fields, options } of indexes) schema.index(fields as Record<string, 1 | -1>, { ...options });
  return schema;
}
