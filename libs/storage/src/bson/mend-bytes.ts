import { mongo } from 'mongoose';
import { depthOf, documentOf, elementsOf, isContainer, textElement, type Element } from './elements';
import { MAX_NESTING } from './read-document';

type Document = Record<string, unknown>;

/** Only user data is nested deeper than this, so a note in its place leaves the record usable. */
const NOTE_LEVEL = 4;

const fits = (bytes: Buffer, depth: number): boolean => depth + depthOf(bytes) <= MAX_NESTING;

/** The top-level fields of a document with values nested too deeply. @throws RangeError for invalid BSON */
export const deepFields = (bytes: Buffer): string[] =>
  [...elementsOf(bytes)]
    .filter(({ type, value, end }) => isContainer(type) && !fits(bytes.subarray(value, end), 1))
    .map((element) => nameOf(bytes, element));

/** Replaces each branch that is too deep by a note; its neighbours keep their bytes. Recurses only a few levels. */
export function withNotes(bytes: Buffer, depth = 1): Buffer {
  const parts: Buffer[] = [];
  for (const { type, start, value, end } of elementsOf(bytes)) {
    const inner = bytes.subarray(value, end);
    if (!isContainer(type) || fits(inner, depth)) parts.push(bytes.subarray(start, end));
    else if (depth < NOTE_LEVEL) parts.push(bytes.subarray(start, value), withNotes(inner, depth + 1));
    else parts.push(textElement(bytes.subarray(start + 1, value), noteOf(inner.length)));
  }
  return documentOf(parts);
}

const noteOf = (bytes: number): string =>
  `unreadable: nested deeper than ${MAX_NESTING} levels (${bytes} bytes), removed by svc doctor`;

/** The readable part of a damaged document, field by field. */
export interface Salvage {
  readonly document: Document;
  /** Fields with unreadable values, and replacements for them. */
  readonly lost: Document;
  /** False if the bytes after the last field are not valid BSON. */
  readonly isWhole: boolean;
}

export function salvage(bytes: Buffer): Salvage {
  const document: Document = {};
  const lost: Document = {};
  const elements = elementsOf(bytes);
  for (;;) {
    const next = nextOf(elements);
    if (next === undefined) return { document, lost, isWhole: true };
    if (next === 'broken') return { document, lost, isWhole: false };
    const value = valueOf(bytes, next);
    if (value) Object.assign(document, value);
    else lost[nameOf(bytes, next)] = standIn(next.type);
  }
}

function nextOf(elements: Generator<Element, void, undefined>): Element | undefined | 'broken' {
  try {
    return elements.next().value ?? undefined;
  } catch {
    return 'broken';
  }
}

function valueOf(bytes: Buffer, { type, start, value, end }: Element): Document | undefined {
  try {
    if (isContainer(type) && !fits(bytes.subarray(value, end), 1)) return undefined;
    return mongo.BSON.deserialize(documentOf([bytes.subarray(start, end)]));
  } catch {
    return undefined;
  }
}

const nameOf = (bytes: Buffer, { start, value }: Element): string => bytes.toString('utf8', start + 1, value - 1);

const DAMAGED = 'unreadable: its stored bytes are damaged, removed by svc doctor';
const STRING = 0x02;
const DOCUMENT = 0x03;
const ARRAY = 0x04;

/** A replacement of the type that readers of the field expect. */
function standIn(type: number): unknown {
  if (type === STRING) return DAMAGED;
  if (type === DOCUMENT) return { unreadable: DAMAGED };
  return type === ARRAY ? [] : undefined;
}
