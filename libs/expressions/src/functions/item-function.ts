import { isPlainObject } from '@switchyard/base';
import { ExpressionError, type HostFunction } from '../evaluate/scope';
import { toText } from '../jinja/values/text';
import type { WorkflowView } from './workflow-view';

/** `item()`: the current item of a with-items task, null outside of one; `item(name)`: one of its named parts. */
export const itemFunction = (view: WorkflowView): HostFunction => ({
  parameters: ['key'],
  required: 0,
  call: ([key]) => (key === undefined || key === null || key === '' ? (view.item ?? null) : partOf(view.item, key)),
});

function partOf(item: unknown, key: unknown): unknown {
  if (!isPlainObject(item)) throw failure('Item is not type of collections.abc.Mapping.');
  const name = toText(key);
  if (!Object.hasOwn(item, name)) throw failure(`Item does not have key "${name}".`);
  return item[name] ?? null;
}

const failure = (message: string): ExpressionError => new ExpressionError('ExpressionEvaluationException', message, '');
