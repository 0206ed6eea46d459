import { TextDecoder } from 'node:util';
import { boundedText, isFault, keptAsText, type DataLimits, parseExactJson } from '@switchyard/base';
import type { RunResult, RunnerSettings } from '../runner-plugin';
import { HeaderFields } from './header-fields';
import { readResponseBytes } from './read-bytes';
import type { HttpReply, Hop } from './transport';

/** 200 to 206, Multi-Status, Already Reported and IM Used. */
const SUCCESSES: readonly number[] = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226];

/** Reads a response into the result form `{status_code, body, parsed, headers}`. */
export async function httpResult(
  answer: HttpReply,
  { method }: Hop,
  { maxOutputBytes, data }: Pick<RunnerSettings, 'maxOutputBytes' | 'data'>,
): Promise<RunResult> {
  const headers = new HeaderFields();
  for (const [name, value] of answer.fields) headers.append(name, value);
  const encodings = method === 'HEAD' ? '' : (headers.get('Content-Encoding') ?? '');
  const { bytes, truncated } = await readResponseBytes(answer.body, encodings, maxOutputBytes);
  return {
    status: SUCCESSES.includes(answer.status) ? 'succeeded' : 'failed',
    result: {
      status_code: answer.status,
      ...(await bodyValue(bytes, headers.get('Content-Type') ?? '', truncated, data)),
      headers: Object.fromEntries(headers),
    },
    truncated,
  };
}

async function bodyValue(
  bytes: Buffer,
  contentType: string,
  truncated: boolean,
  limits: DataLimits,
): Promise<{ body: unknown; parsed: boolean }> {
  const text = bodyText(bytes, contentType, truncated);
  if (truncated) return { body: text + unreadNote(bytes.length), parsed: false };
  if (contentType.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
    return { body: boundedText(text, limits), parsed: false };
  }
  try {
    return { body: await parseExactJson(text, limits), parsed: true };
  } catch (error) {
    const body = isFault(error) ? keptAsText(text, error.message, limits) : boundedText(text, limits);
    return { body, parsed: false };
  }
}

/** The note at the end of a truncated body. */
const unreadNote = (keptBytes: number): string =>
  `\n[output truncated: ${keptBytes} bytes kept, the rest of the body was not read]`;

/**
 * Decodes a body with the charset of its type. Without one, it tries UTF-8, then Windows-1252 for text types. Anything else
 * becomes Base64, so that the bytes can be recovered.
 */
function bodyText(bytes: Buffer, contentType: string, isTruncated: boolean): string {
  const named = decoderFor(/;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]);
  if (named) return named.decode(bytes, { stream: isTruncated });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isTruncated });
  } catch {
    return TEXT_TYPES.test(contentType) ? new TextDecoder('windows-1252').decode(bytes) : bytes.toString('base64');
  }
}

const TEXT_TYPES = /^\s*(?:text\/|application\/(?:[^;\s]*\+)?(?:json|xml|javascript|yaml|x-www-form-urlencoded)\b)/i;

function decoderFor(charset: string | undefined): TextDecoder | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset);
  } catch {
    // An unknown charset counts as none.
    return undefined;
  }
}
