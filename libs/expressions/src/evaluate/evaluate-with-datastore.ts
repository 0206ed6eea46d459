import type { DatastoreKey } from '../jinja';
import { evaluate } from './evaluate';
import type { ExpressionScope } from './scope';
import { withReads } from './with-reads';

/** Reads one item; undefined when there is none. */
export type DatastoreLookup = (key: DatastoreKey) => Promise<unknown>;

/**
 * `evaluate` for scopes whose functions read the datastore: items are fetched as the expressions ask for them.
 * @param scopeWith makes the scope around a reader of items that answers at once (`WorkflowView.datastore`)
 * @throws as `evaluate`, and what the lookup rejects with unless it is a fault below 500
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
