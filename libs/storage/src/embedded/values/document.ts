/** A stored document: what BSON decodes to, with its numbers as numbers. */
export type Document = Record<string, unknown>;

const prototypes = new Set<unknown>([Object.prototype, null]);

/** True for an object that has fields (a document), as opposed to an array or one of BSON's own types. */
export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && prototypes.has(Object.getPrototypeOf(value));
}
