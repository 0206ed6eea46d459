import { KIB, fault } from '@switchyard/base';

const BREAK = Buffer.from('\r\n');
const LONGEST_HEAD = 8 * KIB;
const BLANK_LINE = Buffer.from('\r\n\r\n');

/** Every value is a text in a list, as with other forms; files are read as UTF-8 texts. */
export type FormFields = Record<string, string[]>;

/**
 * Reads a form that was sent in parts (RFC 7578).
 * @param contentType the header, with its boundary
 * @throws Fault `request.body`
 */
export function parseMultipart(bytes: Buffer, contentType: string): FormFields {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw wrong('multipart/form-data without a boundary');
  const fields: FormFields = {};
  for (const part of partsOf(bytes, Buffer.from(`--${boundary}`))) addField(fields, part);
  return fields;
}

function* partsOf(bytes: Buffer, delimiter: Buffer): Generator<Buffer> {
  const next = Buffer.concat([BREAK, delimiter]);
  let start = bytes.indexOf(delimiter);
  if (start < 0) throw wrong('the boundary of the form does not occur in it');
  for (;;) {
    const from = start + delimiter.length;
    if (bytes.subarray(from, from + 2).toString('latin1') === '--') return;
    // The rest of the delimiter's line, and the line break before the next one, belong to neither.
    const line = bytes.indexOf(BREAK, from);
    const end = line < 0 ? -1 : bytes.indexOf(next, line);
    if (end < 0) throw wrong('the form does not end');
    yield bytes.subarray(line + BREAK.length, Math.max(end, line + BREAK.length));
    start = end + BREAK.length;
  }
}

function addField(fields: FormFields, part: Buffer): void {
  const split = part.indexOf(BLANK_LINE);
  const head = split < 0 || split > LONGEST_HEAD ? '' : part.subarray(0, split).toString('utf8');
  const [, name] = /^content-disposition:\s*form-data\s*;(?:[^\r\n]*;)?\s*name="([^"\r\n]*)"/im.exec(head) ?? [];
  if (name === undefined) throw wrong('a part of the form has no name');
  const value = part.subarray(split + BLANK_LINE.length).toString('utf8');
  if (Object.hasOwn(fields, name)) fields[name]?.push(value);
  else Object.defineProperty(fields, name, { value: [value], enumerable: true, writable: true, configurable: true });
}

const wrong = (text: string) => fault('request.body', { text });
