import { boundedText, isFault, keptAsText, type DataLimits } from '@switchyard/base';
import type { RunResult, RunnerSettings } from '../runner-plugin';
import { bodyText } from './body-text';
import { exactJson } from './exact-json';
import { HeaderFields } from './header-fields';
import { readBytes } from './read-bytes';
import type { Answer, Hop } from './transport';

/** 200 to 206, and what others have added to them: Multi-Status, Already Reported, IM Used. */
const SUCCESSES: readonly number[] = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226];

/** Reads an answer into the form that clients know: `{status_code, body, parsed, headers}`. */
export async function httpResult(
  answer: Answer,
  { method }: Hop,
  { maxOutputBytes, data }: Pick<RunnerSettings, 'maxOutputBytes' | 'data'>,
): Promise<RunResult> {
  const headers = new HeaderFields();
  for (const [name, value] of answer.fields) headers.append(name, value);
  const encodings = method === 'HEAD' ? '' : (headers.get('Content-Encoding') ?? '');
  const { bytes, truncated } = await readBytes(answer.body, encodings, maxOutputBytes);
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
    return { body: await exactJson(text, limits), parsed: true };
  } catch (error) {
    const body = isFault(error) ? keptAsText(text, error.message, limits) : boundedText(text, limits);
    return { body, parsed: false };
  }
}

/** The line that stands at the end of a body that is not complete. */
const unreadNote = (keptBytes: number): string =>
  `\n[output truncated: ${keptBytes} bytes kept, the rest of the body was not read]`;
