import { fault, isPlainObject, messageOf, randomHex } from '@switchyard/base';
import { parsePythonLiteral, pythonStr } from '@switchyard/model';
import { encodedFields } from './url-text';

export interface RequestBody {
  readonly bytes: Buffer;
  /** The default type; `replaces` means that it overrides a given type. */
  readonly type?: { readonly value: string; readonly replaces: boolean };
}

interface FormFile {
  readonly name: string;
  readonly content: string;
  readonly type: string | undefined;
}

/**
 * Builds the body from the parameters. Text is sent unchanged; other values are sent as a form, or as JSON if the type says
 * so. A file makes it a multipart form. @throws Fault `runner.http-body`, `runner.http-file-and-text`
 */
export function requestBody(
  parameters: Readonly<Record<string, unknown>>,
  contentType: string | undefined,
): RequestBody | undefined {
  const { body } = parameters;
  const file = formFile(parameters);
  if (file) return multipart(formFields(body), file);
  if (body === undefined || body === null || body === '') return undefined;
  if (contentType === 'application/json') return { bytes: Buffer.from(jsonText(body)) };
  if (typeof body !== 'object') return { bytes: Buffer.from(typeof body === 'string' ? body : pythonStr(body)) };
  const type = { value: 'application/x-www-form-urlencoded', replaces: false };
  return { bytes: Buffer.from(encodedFields(formFields(body))), type };
}

function formFile({ file_name, file_content, file_content_type }: Readonly<Record<string, unknown>>) {
  if (typeof file_name !== 'string' || file_name === '') return undefined;
  if (file_content === undefined || file_content === null || file_content === '') return undefined;
  const type =
    typeof file_content_type === 'string' && file_content_type !== '' ? oneLine(file_content_type) : undefined;
  return { name: file_name, content: pythonStr(file_content), type };
}

/** JSON text is sent unchanged, so that no number loses digits; other text is parsed as a Python literal. */
function jsonText(body: unknown): string {
  if (typeof body !== 'string') return JSON.stringify(body);
  try {
    JSON.parse(body);
    return body;
  } catch {
    return JSON.stringify(literal(body));
  }
}

function literal(text: string): unknown {
  try {
    return parsePythonLiteral(text);
  } catch (thrown) {
    throw fault('runner.http-body', { reason: `it is neither JSON nor a Python literal (${messageOf(thrown)})` });
  }
}

function formFields(body: unknown): (readonly [string, unknown])[] {
  if (body === undefined || body === null || body === '') return [];
  if (isPlainObject(body)) return Object.entries(body);
  if (Array.isArray(body) && body.every((pair) => Array.isArray(pair) && pair.length === 2))
    return (body as [unknown, unknown][]).map(([name, value]) => [pythonStr(name), value] as const);
  if (typeof body === 'object') throw fault('runner.http-body', { reason: 'a list must contain pairs' });
  throw fault('runner.http-file-and-text');
}

function multipart(fields: readonly (readonly [string, unknown])[], { name, content, type }: FormFile): RequestBody {
  const boundary = randomHex(16);
  const parts: string[] = [];
  for (const [field, value] of fields) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value])
      if (each !== null)
        parts.push(`Content-Disposition: form-data; name="${quotable(field)}"\r\n\r\n${pythonStr(each)}`);
  }
  const file = `Content-Disposition: form-data; name="${quotable(name)}"; filename="${quotable(name)}"`;
  parts.push(`${file}${type === undefined ? '' : `\r\nContent-Type: ${type}`}\r\n\r\n${content}`);
  const text = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
  return { bytes: Buffer.from(text), type: { value: `multipart/form-data; boundary=${boundary}`, replaces: true } };
}

/** Escapes a name like browsers (HTML standard, "multipart/form-data encoding algorithm"). */
const quotable = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');
