import type { Answer } from '../answer';
import { counted, type Outcome, type Setting } from '../attack';
import type { Sent } from '../caller';
import { FUZZED } from './examples';
import { fuzzRequest, soundRequest } from './fuzz-request';
import { knownIds } from './known-ids';
import { readOperations } from './operations';
import { randomOf } from './random';

export interface FuzzRange {
  readonly seed: number;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The outcome of a range of requests. */
export interface FuzzOutcome extends Outcome {
  readonly answers: readonly number[];
}

/** The number of concurrent requests. */
const AT_ONCE = 12;

/** Sends more or less valid requests of the API document. */
export function openFuzzer({ api, target }: Setting) {
  const operations = readOperations();
  const ids = knownIds();
  const send = async (sent: Sent): Promise<Answer> => {
    const answer = await api.send(sent);
    ids.learn(sent, answer);
    return answer;
  };
  return {
    /** Creates the records that other requests read and change. */
    async prepare() {
      const made = operations.filter(
        ({ method, path }) => method === 'POST' && MADE.some((each) => path.endsWith(each)),
      );
      for (const operation of made) {
        for (let index = 0; index < FUZZED * 2; index++)
          await send(ids.fill(soundRequest(operation, randomOf(0, index))));
      }
    },
    async run({ seed, from, to }: FuzzRange): Promise<FuzzOutcome> {
      const problems: string[] = [];
      const answers: number[] = [];
      let next = from;
      const worker = async () => {
        while (next < to && target.died().length === 0) {
          const index = next++;
          const sent = ids.fill(withoutToken(fuzzRequest(operations, seed, index)));
          const answer = await send(sent);
          answers.push(answer.status);
          if (isUnborne(sent, answer))
            problems.push(
              `${described(index, sent)} → ${answer.status} ${answer.failure ?? answer.text.slice(0, 300)}`,
            );
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      const strangers = answers.filter((status) => status === 401).length;
      if (strangers > answers.length / 2)
        problems.push(`${strangers} of ${answers.length} requests were refused with 401, so they tested nothing else`);
      return { problems, answers, note: counted(answers.map((status) => ({ status }))) };
    },
  };
}

const MADE = [
  '/actions',
  '/rules',
  '/triggertypes',
  '/triggers',
  '/policies',
  '/actionalias',
  '/apikeys',
  '/executions',
];

/** Keeps requests from revoking the token that all of them use. */
const withoutToken = (sent: Sent): Sent =>
  sent.path.startsWith('/auth/v1/tokens/current') ||
  (sent.method === 'DELETE' && sent.path.startsWith('/auth/v1/issued_tokens'))
    ? { ...sent, headers: { ...sent.headers, 'x-auth-token': 'nothing' } }
    : sent;

/** The server may close a connection on a client that sends more than it reads. */
const LARGE_BYTES = 64 * 1024;

function isUnborne({ body }: Sent, { status }: Answer): boolean {
  const isLarge = body !== undefined && Buffer.byteLength(body as string | Buffer) > LARGE_BYTES;
  return (status === 0 && !isLarge) || (status >= 500 && status !== 503);
}

function described(index: number, { method, path, headers, body }: Sent): string {
  const text = body === undefined ? '' : Buffer.from(body as string).toString();
  const shown = text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;
  return `request ${index}: ${method} ${path.slice(0, 300)} ${JSON.stringify(headers ?? {}).slice(0, 200)} ${JSON.stringify(shown)}`;
}
