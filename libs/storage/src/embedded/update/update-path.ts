import { serverError, ServerErrorCode } from '../errors';
import { isDocument, type Document } from '../values/document';
import { isArrayIndex } from '../values/paths';
import { defineField } from '../values/to-stored';

/** The object or array that contains the last part of a path. */
export interface Slot {
  read(): unknown;
  write(value: unknown): void;
  remove(): void;
}

const MOST_PADDING = 1_500_000;

/** The slot at a path; undefined if a part of the path is missing. */
export function findSlot(document: Document, parts: readonly string[]): Slot | undefined {
  let owner: unknown = document;
  for (const part of parts.slice(0, -1)) owner = child(owner, part);
  const last = parts.at(-1) as string;
  if (Array.isArray(owner) ? !isArrayIndex(last) : !isDocument(owner)) return undefined;
  return slotOf(owner as Document | unknown[], last);
}

/** The slot at a path; creates missing objects on the way. @throws when a value on the way is not an object */
export function makeSlot(document: Document, parts: readonly string[]): Slot {
  let owner: Document | unknown[] = document;
  for (let i = 0; i < parts.length - 1; i += 1) {
    const slot = slotOf(checkPart(owner, parts, i), parts[i] as string);
    let next = slot.read();
    if (next === undefined) slot.write((next = {}));
    if (!Array.isArray(next) && !isDocument(next)) throw notViable(parts[i + 1] as string, parts[i] as string, next);
    owner = next;
  }
  return slotOf(checkPart(owner, parts, parts.length - 1), parts.at(-1) as string);
}

function child(owner: unknown, part: string): unknown {
  if (Array.isArray(owner)) return isArrayIndex(part) ? owner[Number(part)] : undefined;
  return isDocument(owner) && Object.hasOwn(owner, part) ? owner[part] : undefined;
}

function checkPart(owner: Document | unknown[], parts: readonly string[], i: number): Document | unknown[] {
  const part = parts[i] as string;
  if (Array.isArray(owner) && !isArrayIndex(part)) throw notViable(part, parts[i - 1] ?? '', owner);
  if (part === '')
    throw serverError(
      ServerErrorCode.emptyFieldName,
      `The update path '${parts.join('.')}' contains an empty field name`,
    );
  return owner;
}

const notViable = (part: string, owner: string, value: unknown) =>
  serverError(
    ServerErrorCode.pathNotViable,
    `Cannot create field '${part}' in element {${owner}: ${JSON.stringify(value)}}`,
  );

function slotOf(owner: Document | unknown[], part: string): Slot {
  return Array.isArray(owner) ? elementSlot(owner, Number(part)) : fieldSlot(owner, part);
}

const fieldSlot = (owner: Document, name: string): Slot => ({
  read: () => (Object.hasOwn(owner, name) ? owner[name] : undefined),
  write: (value) => defineField(owner, name, value),
  remove: () => void delete owner[name],
});

const elementSlot = (owner: unknown[], index: number): Slot => ({
  read: () => owner[index],
  write(value) {
    if (index - owner.length > MOST_PADDING)
      throw serverError(ServerErrorCode.badValue, 'cannot backfill that many elements');
    while (owner.length < index) owner.push(null);
    owner[index] = value;
  },
  // A server leaves null in the gap, so that the other elements keep their positions.
  remove: () => void (index < owner.length && (owner[index] = null)),
});
