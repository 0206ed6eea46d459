import type { RunResult } from '../runner-plugin';
import { bodyText } from './body-text';
import { exactJson } from './exact-json';
import { HeaderFields } from './header-fields';
import { readBytes } from './read-bytes';
import type { Answer, Hop } from './transport';

/** 200 to 206, and what others have added to them: Multi-Status, Already Reported, IM Used. */
const SUCCESSES: readonly number[] = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226];

/** Reads an answer into the form that clients know: `{status_code, body, parsed, headers}`. */
export async function httpResult(answer: Answer, { method }: Hop, maxBytes: number): Promise<RunResult> {
  const headers = new HeaderFields();
  for (const [name, value] of answer.fields) headers.append(name, value);
  const encodings = method === 'HEAD' ? '' : (headers.get('Content-Encoding') ?? '');
  const { bytes, truncated } = await readBytes(answer.body, encodings, maxBytes);
  return {
    status: SUCCESSES.includes(answer.status) ? 'succeeded' : 'failed',
    result: {
      status_code: answer.status,
      ...bodyValue(bytes, headers.get('Content-Type') ?? '', truncated),
      headers: Object.fromEntries(headers),
    },
    truncated,
  };
}

function bodyValue(bytes: Buffer, contentType: string, truncated: boolean): { body: unknown; parsed: boolean } {
  const text = bodyText(bytes, contentType, truncated);
  if (truncated) return { body: text + unreadNote(bytes.length), parsed: false };
  if (contentType.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') return { body: text, parsed: false };
  try {
    return { body: exactJson(text), parsed: true };
  } catch {
    return { body: text, parsed: false };
  }
}

/** The line that stands at the end of a body that is not complete. */
const unreadNote = (keptBytes: number): string =>
  `\n[output truncated: ${keptBytes} bytes kept, the rest of the body was not read]`;
