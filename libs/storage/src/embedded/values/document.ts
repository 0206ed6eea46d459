/** A stored document: decoded BSON, with numbers as JavaScript numbers. */
export type Document = Record<string, unknown>;

const prototypes = new Set<unknown>([Object.prototype, null]);

/** Whether a value is an object with fields (a document), not an array or a BSON type. */
export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && prototypes.has(Object.getPrototypeOf(value));
}
