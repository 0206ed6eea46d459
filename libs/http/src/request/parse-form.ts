import { KIB, assertWithin, excessFault, fault, slices, type DataLimits } from '@switchyard/base';

/** Each field has a list of strings: `a=1` is `{"a": ["1"]}`, as in StackStorm. */
export type FormFields = Record<string, string[]>;

const PIECE = 16 * KIB;

/**
 * Parses `application/x-www-form-urlencoded` in pieces, so that a large form does not block other requests. Leaves out blank values, as
 * StackStorm does.
 * @throws Fault `data.limit`, `data.key`
 */
export async function parseForm(text: string, limits: DataLimits): Promise<FormFields> {
  const turn = slices();
  const { fields, addField } = formFields(limits);
  for (let from = 0; from < text.length;) {
    const next = text.indexOf('&', from + PIECE);
    const to = next < 0 ? text.length : next;
    // URLSearchParams drops a leading question mark, which is only right for the first piece.
    const piece = from === 0 ? text.slice(0, to) : `&${text.slice(from, to)}`;
    for (const [name, value] of new URLSearchParams(piece)) {
      if (value !== '') addField(name, value);
    }
    from = to + 1;
    await turn.next();
  }
  return fields;
}

/** Collects the fields of a form, and rejects the first one that exceeds a limit. */
export function formFields(limits: DataLimits) {
  const { maxMembers } = limits;
  const fields: FormFields = {};
  let members = 0;
  const addField = (name: string, value: string): void => {
    assertWithin({ [name]: value }, limits);
    const known = Object.hasOwn(fields, name);
    // A new field counts as a list and its value.
    members += known ? 1 : 2;
    if (members > maxMembers) throw excessFault({ limit: 'maxMembers', allowed: maxMembers, path: '' });
    if (known) fields[name]?.push(value);
    // A plain assignment would treat `__proto__` differently.
    else Object.defineProperty(fields, name, { value: [value], enumerable: true, writable: true, configurable: true });
  };
  return { fields, addField };
}

const BREAK = Buffer.from('\r\n');
const LONGEST_HEAD = 8 * KIB;
const BLANK_LINE = Buffer.from('\r\n\r\n');

/**
 * Parses `multipart/form-data` (RFC 7578). Files are read as UTF-8 text.
 * @param contentType the header, with its boundary
 * @throws Fault `request.body`, `data.limit`, `data.key`
 */
export async function parseMultipart(bytes: Buffer, limits: DataLimits, contentType: string): Promise<FormFields> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw wrong('multipart/form-data without a boundary');
  const turn = slices();
  const { fields, addField } = formFields(limits);
  for (const part of partsOf(bytes, Buffer.from(`--${boundary}`))) {
    addField(...fieldOf(part));
    await turn.next();
  }
  return fields;
}

function* partsOf(bytes: Buffer, delimiter: Buffer): Generator<Buffer> {
  const next = Buffer.concat([BREAK, delimiter]);
  let start = bytes.indexOf(delimiter);
  if (start < 0) throw wrong('it does not contain the boundary that Content-Type names');
  for (;;) {
    const from = start + delimiter.length;
    if (bytes.subarray(from, from + 2).toString('latin1') === '--') return;
    // Neither the rest of the delimiter's line nor the line break before the next delimiter belongs to the part.
    const line = bytes.indexOf(BREAK, from);
    const end = line < 0 ? -1 : bytes.indexOf(next, line);
    if (end < 0) throw wrong('the form does not end');
    yield bytes.subarray(line + BREAK.length, Math.max(end, line + BREAK.length));
    start = end + BREAK.length;
  }
}

function fieldOf(part: Buffer): [name: string, value: string] {
  const split = part.subarray(0, LONGEST_HEAD + BLANK_LINE.length).indexOf(BLANK_LINE);
  const head = split < 0 ? '' : part.subarray(0, split).toString('utf8');
  const [, name] = /^content-disposition:\s*form-data\s*;(?:[^\r\n]*;)?\s*name="([^"\r\n]*)"/im.exec(head) ?? [];
  if (name === undefined) throw wrong('a part of the form has no name');
  return [name, part.subarray(split + BLANK_LINE.length).toString('utf8')];
}

const wrong = (text: string) => fault('request.body', { text });
