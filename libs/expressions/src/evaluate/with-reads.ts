import { isFault, messageOf } from '@switchyard/base';
import type { DatastoreKey } from '../jinja';
import { inTurns } from '../turns';
import { evaluate } from './evaluate';
import { type ExpressionScope, ExpressionError, Interruption } from './scope';

/** Reads an item of the datastore; undefined when there is none. */
export type DatastoreLookup = (key: DatastoreKey) => Promise<string | undefined>;

/**
 * `evaluate` for scopes whose functions read the datastore: items are fetched when an expression reads them.
 * @param scopeWith builds the scope around a synchronous item reader (`WorkflowView.datastore`)
 * @throws as `evaluate`, and what the lookup rejects with unless it is a fault with a status below 500
 */
export const evaluateWithDatastore = (
  value: unknown,
  lookup: DatastoreLookup,
  scopeWith: (datastore: (key: DatastoreKey) => unknown) => ExpressionScope,
): Promise<unknown> =>
  withReads((read) =>
    evaluate(
      value,
      scopeWith((key) => read(keyOf(key), () => lookup(key))),
    ),
  );

const keyOf = ({ scope, name, decrypt }: DatastoreKey): string =>
  `datastore/${scope}/${decrypt ? 'plain' : 'stored'}/${name}`;

/** Each read that must be awaited costs one more run of the work. */
const MOST_READS = 1_000;

/** Returns the value read under a key, or stops the work until it has been read. @throws Unread */
export type Read = <T>(key: string, load: () => Promise<T>) => T;

/** Thrown when synchronous work needs a value that must be awaited. */
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
 * Lets synchronous work, such as evaluating expressions, read values asynchronously: on the first request for a value
 * the work stops, the value is read, and the work restarts. So the work must have no side effects. Only requested
 * values are read, each once, and the work does not block others (`inTurns`).
 *
 * A fault with a status below 500 (not found, not allowed) becomes an ExpressionError at the place of the read; other
 * errors reject.
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
  new ExpressionError('ExpressionEvaluationException', `One evaluation may read at most ${MOST_READS} values.`, '');
