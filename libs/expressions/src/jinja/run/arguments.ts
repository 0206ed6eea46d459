import type { Arguments } from '../syntax/nodes';
import { dictEntries, isDict } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { iterate } from '../values/sequence';
import { toText } from '../values/text';
import { typeName } from '../values/type-name';
import { evaluate } from './evaluate';
import type { Named } from './operation';
import type { Run } from './run';
import type { Scope } from './scope';

/** The values of a call's arguments: by position and by name. */
export function evaluateArguments(args: Arguments, scope: Scope, run: Run): [unknown[], Named] {
  const positional = args.positional.map((node) => evaluate(node, scope, run));
  if (args.spread !== undefined) positional.push(...iterate(evaluate(args.spread, scope, run)));
  if (args.named.length === 0 && args.spreadNamed === undefined) return [positional, NOTHING_NAMED];
  const named: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, node] of args.named) named[name] = evaluate(node, scope, run);
  if (args.spreadNamed !== undefined) Object.assign(named, spreadNamed(evaluate(args.spreadNamed, scope, run)));
  return [positional, named];
}

const NOTHING_NAMED: Named = {};

function spreadNamed(value: unknown): Record<string, unknown> {
  if (!isDict(value)) throw new JinjaError('TypeError', `argument after ** must be a mapping, not ${typeName(value)}`);
  return Object.fromEntries(dictEntries(value).map(([key, item]) => [toText(key), item]));
}
