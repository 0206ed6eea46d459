import { isPlainObject } from '@switchyard/base';
import { ExpressionError, type HostFunction } from '../evaluate/scope';
import type { DatastoreKey } from '../jinja';
import type { WorkflowView } from './workflow-view';

/**
 * `st2kv(key, decrypt, default)`: `system.NAME` is an item of the system, any other key one of the user that runs the
 * workflow.
 */
export const datastoreFunction = (view: WorkflowView): HostFunction => ({
  parameters: ['key', 'decrypt', 'default'],
  required: 1,
  call: ([key, decrypt = false, fallback]) => {
    if (typeof key !== 'string') throw new ExpressionError('TypeError', 'Given key is not typeof string.', '');
    if (typeof decrypt !== 'boolean') {
      throw new ExpressionError('TypeError', 'Decrypt parameter is not typeof bool.', '');
    }
    const wanted = datastoreKey(key, decrypt);
    const value = view.datastore?.(wanted) ?? fallback;
    if (value !== undefined) return value;
    const message = `The key "${storedName(wanted, view)}" does not exist in the StackStorm datastore.`;
    throw new ExpressionError('ExpressionEvaluationException', message, '');
  },
});

/** The name under which the item would be stored, which is what clients know from the datastore's own answers. */
function storedName({ scope, name }: DatastoreKey, { variables }: WorkflowView): string {
  const caller = variables['st2'];
  const user = isPlainObject(caller) ? caller['user'] : undefined;
  return scope === 'user' && typeof user === 'string' ? `${user}:${name}` : name;
}

const SYSTEM = 'system.';

const datastoreKey = (key: string, decrypt: boolean): DatastoreKey =>
  key.startsWith(SYSTEM)
    ? { scope: 'system', name: key.slice(SYSTEM.length), decrypt }
    : { scope: 'user', name: key, decrypt };
