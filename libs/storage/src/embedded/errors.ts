import { mongo } from 'mongoose';
import type { Document } from './values/document';

/** Server error codes that callers may check. */
export const ServerErrorCode = {
  badValue: 2,
  failedToParse: 9,
  typeMismatch: 14,
  overflow: 15,
  indexNotFound: 27,
  pathNotViable: 28,
  conflictingUpdateOperators: 40,
  cursorNotFound: 43,
  namespaceExists: 48,
  emptyFieldName: 56,
  immutableField: 66,
  invalidOptions: 72,
  indexOptionsConflict: 85,
  indexKeySpecsConflict: 86,
  notSupported: 238,
  objectTooLarge: 10334,
  keyTooLong: 17280,
  duplicateKey: 11000,
} as const;

/** An error as the server's driver throws it. */
export function serverError(code: number, message: string, members: Document = {}): mongo.MongoServerError {
  return new mongo.MongoServerError({ ok: 0, message, errmsg: message, code, ...members });
}

export const badValue = (message: string) => serverError(ServerErrorCode.badValue, message);

/** Unsupported features are rejected by name, never silently ignored. */
export const unsupported = (what: string) =>
  serverError(ServerErrorCode.notSupported, `The embedded store does not support ${what}`, {
    codeName: 'NotImplemented',
  });

export function duplicateKey(namespace: string, index: string, keyPattern: Document, keyValue: Document) {
  const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${shownValue(value)}`);
  return serverError(
    ServerErrorCode.duplicateKey,
    `E11000 duplicate key error collection: ${namespace} index: ${index} dup key: { ${shown.join(', ')} }`,
    { keyPattern, keyValue },
  );
}

function shownValue(value: unknown): string {
  if (value instanceof mongo.ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  return JSON.stringify(value) ?? 'null';
}

/** Options that were not checked individually: those in `known` are supported or irrelevant here. */
export function refuseOtherOptions(operation: string, options: object | undefined, known: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(options ?? {})) {
    if (value !== undefined && value !== null && value !== false && !known.has(name)) {
      throw unsupported(`the option "${name}" of ${operation}`);
    }
  }
}
