import type { DatastoreItem } from '../syntax/nodes';
import { JinjaError } from '../values/jinja-error';
import { toText } from '../values/text';
import { Undefined } from '../values/undefined';
import { evaluateNode } from './evaluate';
import type { JinjaRendering } from './run';
import type { Scope } from './scope';

/** The plain text of a datastore item, for the filter `decrypt_kv`. */
export class Decrypted {
  constructor(readonly text: string) {}
}

/** Thrown when the item to decrypt is missing or empty. */
export class NothingToDecrypt extends JinjaError {
  constructor(item: string) {
    super('ValueError', `Referenced datastore item "${item}" doesn't exist or it contains an empty string`);
  }
}

/** A missing item prints as nothing, as in the reference, but `default` still applies. */
export function readDatastore(node: DatastoreItem, decrypt: boolean, scope: Scope, run: JinjaRendering): unknown {
  if (run.datastore === undefined || scope.has(node.root)) return evaluateNode(node.plain, scope, run);
  const [keyScope, ...name] = node.path.map((step) => toText(evaluateNode(step, scope, run)));
  if ((keyScope !== 'system' && keyScope !== 'user') || name.length === 0) {
    throw new JinjaError(
      'UndefinedError',
      `invalid datastore item: expected ${node.root}.system.NAME or ${node.root}.user.NAME`,
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
