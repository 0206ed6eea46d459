import type { Argument, ArgumentList } from './bind';
import { budget } from './budget';
import { badMapping, unknownCallee, noMatch } from './dispatch-failures';
import type { Code, FunctionDefinition, Frame } from './frame';
import type { Library } from './library';
import { type PlannedCall, planCall } from './plan-call';
import type { HostFunction } from '../../evaluate/scope';
import { exactFromYaql, plainFromYaql, yaqlFromExact } from '../values/plain';

/** `name(…)`: looks for a function of the expression, the host, then the library. */
export function planFunction(typed: string, args: ArgumentList, library: Library): Code {
  const name = typed.replace(/(?<=.)_+$/, '');
  const overloads = library.function(name);
  const own = overloads && planCall(name, overloads, args, false);
  const hostCall = planHostCall(name, args);
  return (frame) => {
    if (frame.definitions !== undefined) {
      const definition = frame.definition(name);
      if (definition !== undefined) return callDefinition(definition, args, frame);
    }
    const host = frame.world.scope.functions.get(name);
    if (host !== undefined) return hostCall(host, frame);
    if (own === undefined) throw unknownCallee({ name });
    return own(frame, undefined);
  };
}

/** `receiver.name(…)` */
export function planMethod(typed: string, args: ArgumentList, library: Library): PlannedCall {
  const name = typed.replace(/(?<=.)_+$/, '');
  const overloads = library.method(name);
  if (overloads !== undefined) return planCall(name, overloads, args, true);
  return (_frame, value) => {
    throw unknownCallee({ name, receiver: { value } });
  };
}

/** Calls a function made by `def`, which sees its arguments as `$`, `$2`, … and by name. */
function callDefinition({ body, frame: home }: FunctionDefinition, args: ArgumentList, frame: Frame): unknown {
  const valueOf = (argument: Argument | undefined): unknown => argument?.code(frame) ?? null;
  const values = args.positional.map(valueOf);
  const names = new Map<string, unknown>();
  for (const { key, value } of args.rules) {
    if (key.word === undefined) throw badMapping();
    names.set(key.word, valueOf(value));
  }
  budget().enter();
  try {
    budget().spend(1);
    return body((home ?? frame).child(values, names));
  } finally {
    budget().leave();
  }
}

type Signature = Omit<HostFunction, 'call'>;

/**
 * How the arguments of one call map to the parameters of a host function. It keeps only what all functions of this kind
 * share: compiled expressions are cached and must not retain the data a function reads.
 */
interface Layout {
  readonly signature: Signature;
  readonly parameters: readonly (Argument | undefined)[];
  readonly rest: readonly Argument[];
}

type HostCall = (host: HostFunction, frame: Frame) => unknown;

/** Plans a call of a host function, which takes and returns plain data. */
function planHostCall(name: string, args: ArgumentList): HostCall {
  let known: Layout | undefined;
  return (host, frame) => {
    if (known === undefined || !isAlike(known.signature, host)) known = layOut(name, host, args);
    const plain = host.exact === true ? exactFromYaql : plainFromYaql;
    const parameters = known.parameters.map((argument) => argument && plain(argument.code(frame)));
    const rest = known.rest.map((argument) => plain(argument.code(frame)));
    const result = host.call(parameters, rest) ?? null;
    return host.exact === true ? yaqlFromExact(result) : result;
  };
}

const isAlike = (a: Signature, b: Signature): boolean =>
  a.required === b.required &&
  a.variadic === b.variadic &&
  a.parameters.length === b.parameters.length &&
  a.parameters.every((name, index) => name === b.parameters[index]);

function layOut(name: string, host: HostFunction, { positional, rules }: ArgumentList): Layout {
  const variadic = host.variadic === true;
  const parameters: (Argument | undefined)[] = host.parameters.map((_, index) => (variadic ? undefined : positional[index])); // oxfmt-ignore
  if (!variadic && positional.length > parameters.length) throw noMatch({ name });
  const names = host.parameters.map(camelCase);
  for (const { key, value } of rules) {
    if (key.word === undefined) throw badMapping();
    const index = names.indexOf(key.word);
    if (index < 0 || parameters[index] !== undefined) throw noMatch({ name });
    parameters[index] = value;
  }
  if (parameters.slice(0, host.required).includes(undefined)) throw noMatch({ name });
  const rest = variadic ? positional.filter((argument) => argument !== undefined) : [];
  const { call: _, ...signature } = host;
  return { signature, parameters, rest };
}

/** Converts a Python name to YAQL: `sort_keys` becomes `sortKeys`; trailing underscores are dropped. */
export const camelCase = (name: string): string =>
  name.replace(/_+$/, '').replace(/(?!^)_([\p{L}\p{N}])/gu, (_all, letter: string) => letter.toUpperCase());
