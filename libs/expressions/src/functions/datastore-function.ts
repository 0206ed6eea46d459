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
    const value = view.datastore?.(datastoreKey(key, decrypt)) ?? fallback;
    if (value !== undefined) return value;
    const message = `The key "${key}" does not exist in the StackStorm datastore.`;
    throw new ExpressionError('ExpressionEvaluationException', message, '');
  },
});

const SYSTEM = 'system.';

const datastoreKey = (key: string, decrypt: boolean): DatastoreKey =>
  key.startsWith(SYSTEM)
    ? { scope: 'system', name: key.slice(SYSTEM.length), decrypt }
    : { scope: 'user', name: key, decrypt };
