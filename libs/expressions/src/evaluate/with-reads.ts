import { isFault, messageOf } from '@switchyard/base';
import { inTurns } from '../turns';
import { ExpressionError, Interruption } from './scope';

/** Each read that must be waited for costs one more run of the work. */
const MOST_READS = 1_000;

/** Gives what was read under a key, or stops the work until it is read. @throws Unread */
export type Read = <T>(key: string, load: () => Promise<T>) => T;

/** Thrown where work that cannot wait asks for something that must be waited for. */
export class Unread extends Interruption {
  constructor(
    readonly key: string,
    readonly load: () => Promise<unknown>,
  ) {
    super(`"${key}" has not been read yet.`);
  }
}

type Outcome = { readonly value: unknown } | { readonly refusal: string };

/**
 * Lets work that cannot wait, such as evaluating expressions, ask for what must be waited for: the first time something is
 * asked for, the work stops, the thing is read, and the work starts anew. So the work must have no effects; nothing is read
 * that it does not ask for, and each thing is read once. Nobody else has to wait for the work either (`inTurns`).
 *
 * A fault below 500 that a read meets (not found, not allowed) becomes an ExpressionError where it was asked for; other
 * errors end the whole.
 */
export async function withReads<T>(work: (read: Read) => T): Promise<T> {
  const outcomes = new Map<string, Outcome>();
  const read: Read = <V>(key: string, load: () => Promise<V>): V => {
    const outcome = outcomes.get(key);
    if (outcome === undefined) throw new Unread(key, load);
    if ('value' in outcome) return outcome.value as V;
    throw new ExpressionError('ExpressionEvaluationException', outcome.refusal, '');
  };
  return inTurns(
    () => work(read),
    async (interruption) => {
      if (!(interruption instanceof Unread) || outcomes.has(interruption.key)) throw interruption;
      if (outcomes.size >= MOST_READS) throw tooMany();
      outcomes.set(interruption.key, await outcomeOf(interruption.load));
    },
  );
}

async function outcomeOf(load: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await load() };
  } catch (error) {
    if (isFault(error) && error.status < 500) return { refusal: messageOf(error) };
    throw error;
  }
}

const tooMany = (): ExpressionError =>
  new ExpressionError(
    'ExpressionEvaluationException',
    `More than ${MOST_READS} values are read by one evaluation.`,
    '',
  );
