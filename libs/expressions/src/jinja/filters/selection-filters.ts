import { chargeFor, chargeResult } from '../run/budget';
import type { Operation, Operations } from '../run/operation';
import type { Run } from '../run/run';
import { JinjaError } from '../values/jinja-error';
import { iterate, truth } from '../values/sequence';
import { toText } from '../values/text';
import { Undefined } from '../values/undefined';
import { attributeReader, type Reader } from './selector';

/** `map` and the four that keep or drop items by a test. */
export const selectionFilters: Operations = {
  map: (run, value, args, named) => iterate(value).map(mapper(run, args, named)),
  select: selection(true, false),
  reject: selection(false, false),
  selectattr: selection(true, true),
  rejectattr: selection(false, true),
};

function mapper(run: Run, args: readonly unknown[], named: Readonly<Record<string, unknown>>): Reader {
  const { attribute, default: fallback, ...rest } = named;
  if (args.length === 0 && attribute !== undefined) {
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw new JinjaError('FilterArgumentError', `Unexpected keyword argument '${unknown}'`);
    return counted(
      run,
      attributeReader(attribute, run, (item) => (item instanceof Undefined && 'default' in named ? fallback : item)),
    );
  }
  const [name, ...others] = args;
  if (name === undefined) throw new JinjaError('FilterArgumentError', 'map requires a filter argument');
  const filter = run.filter(toText(name));
  if (filter === undefined) throw new JinjaError('TemplateRuntimeError', `No filter named '${toText(name)}'.`);
  return counted(run, (item) => chargeResult(filter(run, item, others, named)));
}

function counted(run: Run, read: Reader): Reader {
  return (item) => {
    run.budget.spend();
    chargeFor(item);
    return read(item);
  };
}

function selection(keep: boolean, byAttribute: boolean): Operation {
  return (run, value, args, named) => {
    const [attribute, ...others] = args;
    if (byAttribute && args.length === 0)
      throw new JinjaError('FilterArgumentError', 'Missing parameter for attribute name');
    const read = byAttribute ? attributeReader(attribute, run) : (item: unknown) => item;
    const test = itemTest(run, byAttribute ? others : args, named);
    return iterate(value).filter(counted(run, (item) => test(read(item)) === keep) as (item: unknown) => boolean);
  };
}

function itemTest(
  run: Run,
  args: readonly unknown[],
  named: Readonly<Record<string, unknown>>,
): (item: unknown) => boolean {
  const [name, ...others] = args;
  if (name === undefined) return truth;
  const test = run.test(toText(name));
  if (test === undefined) throw new JinjaError('TemplateRuntimeError', `No test named '${toText(name)}'.`);
  return (item) => truth(test(run, item, others, named));
}
