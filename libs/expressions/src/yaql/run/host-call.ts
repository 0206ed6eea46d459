import type { HostFunction } from '../../evaluate/scope';
import { toPlain } from '../values/plain';
import type { Argument, ArgumentList } from './argument';
import { camelCase } from './camel-case';
import { badMapping, noMatch } from './dispatch-failures';
import type { Frame } from './frame';

/** How the arguments of one call lie over the parameters of one host function. */
interface Layout {
  readonly host: HostFunction;
  readonly parameters: readonly (Argument | undefined)[];
  readonly rest: readonly Argument[];
}

export type HostCall = (host: HostFunction, frame: Frame) => unknown;

/** A call of a function of the host: its arguments are plain data, and so is its answer. */
export function planHostCall(name: string, args: ArgumentList): HostCall {
  let known: Layout | undefined;
  return (host, frame) => {
    if (known?.host !== host) known = layOut(name, host, args);
    const parameters = known.parameters.map((argument) => argument && toPlain(argument.code(frame)));
    const rest = known.rest.map((argument) => toPlain(argument.code(frame)));
    return host.call(parameters, rest) ?? null;
  };
}

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
  return { host, parameters, rest };
}
