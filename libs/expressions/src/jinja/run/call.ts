import { JinjaError } from '../values/jinja-error';
import { typeName } from '../values/type-name';
import { Undefined } from '../values/undefined';
import type { Named } from './operation';
import type { Callable, Run } from './run';

/** Calls a macro, a method or a function of the context. */
export function callValue(callee: unknown, args: readonly unknown[], named: Named, run: Run): unknown {
  if (callee instanceof Undefined) return callee.fail();
  if (typeof callee !== 'function') throw new JinjaError('TypeError', `'${typeName(callee)}' object is not callable`);
  return (callee as Callable)(args, named, run);
}
