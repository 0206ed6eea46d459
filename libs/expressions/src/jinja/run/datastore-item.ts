import type { DatastoreItem } from '../syntax/nodes';
import { JinjaError } from '../values/jinja-error';
import { toText } from '../values/text';
import { Undefined } from '../values/undefined';
import { evaluate } from './evaluate';
import type { Run } from './run';
import type { Scope } from './scope';

/** The plain text of a datastore item, on its way to the filter `decrypt_kv`. */
export class Decrypted {
  constructor(readonly text: string) {}
}

/** There is nothing to decrypt. */
export class NothingToDecrypt extends JinjaError {
  constructor(item: string) {
    super('ValueError', `Referenced datastore item "${item}" doesn't exist or it contains an empty string`);
  }
}

/** A missing item prints as nothing, as the reference does, and still takes a `default`. */
export function readDatastore(node: DatastoreItem, decrypt: boolean, scope: Scope, run: Run): unknown {
  if (run.datastore === undefined || scope.has(node.root)) return evaluate(node.plain, scope, run);
  const [keyScope, ...name] = node.path.map((step) => toText(evaluate(step, scope, run)));
  if ((keyScope !== 'system' && keyScope !== 'user') || name.length === 0) {
    throw new JinjaError(
      'UndefinedError',
      `'${node.root}' has items of the form ${node.root}.system.NAME or ${node.root}.user.NAME`,
    );
  }
  const item = `${node.root}.${keyScope}.${name.join('.')}`;
  const text = run.datastore({ scope: keyScope, name: name.join('.'), decrypt });
  if (text === undefined || (decrypt && text === '')) {
    if (!decrypt) return new Undefined(`'${item}' is undefined`, true);
    throw new NothingToDecrypt(item);
  }
  return text;
}
