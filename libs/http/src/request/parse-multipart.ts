import { KIB, fault, slices, type DataLimits } from '@switchyard/base';
import { formFields, type FormFields } from './parse-form';

const BREAK = Buffer.from('\r\n');
const LONGEST_HEAD = 8 * KIB;
const BLANK_LINE = Buffer.from('\r\n\r\n');

/**
 * Reads a form that was sent in parts (RFC 7578). Files are read as UTF-8 texts.
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

function fieldOf(part: Buffer): [name: string, value: string] {
  const split = part.subarray(0, LONGEST_HEAD + BLANK_LINE.length).indexOf(BLANK_LINE);
  const head = split < 0 ? '' : part.subarray(0, split).toString('utf8');
  const [, name] = /^content-disposition:\s*form-data\s*;(?:[^\r\n]*;)?\s*name="([^"\r\n]*)"/im.exec(head) ?? [];
  if (name === undefined) throw wrong('a part of the form has no name');
  return [name, part.subarray(split + BLANK_LINE.length).toString('utf8')];
}

const wrong = (text: string) => fault('request.body', { text });
