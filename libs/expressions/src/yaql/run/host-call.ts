import type { HostFunction } from '../../evaluate/scope';
import { toPlain } from '../values/plain';
import type { Argument, ArgumentList } from './argument';
import { camelCase } from './camel-case';
import { badMapping, noMatch } from './dispatch-failures';
import type { Frame } from './frame';

type Signature = Omit<HostFunction, 'call'>;

/**
 * How the arguments of one call lie over the parameters of a host function. It knows of the function what all functions of
 * its kind share: expressions are kept, and must not keep what the function reads from.
 */
interface Layout {
  readonly signature: Signature;
  readonly parameters: readonly (Argument | undefined)[];
  readonly rest: readonly Argument[];
}

export type HostCall = (host: HostFunction, frame: Frame) => unknown;

/** A call of a function of the host: its arguments are plain data, and so is its answer. */
export function planHostCall(name: string, args: ArgumentList): HostCall {
  let known: Layout | undefined;
  return (host, frame) => {
    if (known === undefined || !isAlike(known.signature, host)) known = layOut(name, host, args);
    const parameters = known.parameters.map((argument) => argument && toPlain(argument.code(frame)));
    const rest = known.rest.map((argument) => toPlain(argument.code(frame)));
    return host.call(parameters, rest) ?? null;
  };
}

const isAlike = (a: Signature, b: Signature): boolean =>
  a.required === b.required &&
  a.variadic === b.variadic &&
  a.parameters.length === b.parameters.length &&
  a.parameters.every((name, index) => name === b.parameters[index]);

function layOut(name: string, host: HostFunction, { positional, rules }: ArgumentList): Layout {
  const variadic = host.variadic === true;
  const parameters: (Argument | undefined)[] = host.parameters.map((_, index) => (variadic ? undefined : positional[index])); // prettier-ignore
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
