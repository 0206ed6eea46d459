import type { Code } from './frame';
import type { Overload, Parameter } from './overload';

/** A compiled argument of a call. */
export interface Argument {
  readonly code: Code;
  /** Present for literals and bare words, whose type is known at compile time. */
  readonly literal?: { readonly value: unknown } | undefined;
  /** The text of a bare word, which may name a parameter before `=>`. */
  readonly word?: string | undefined;
}

export interface ArgumentList {
  /** Undefined for an omitted argument. */
  readonly positional: readonly (Argument | undefined)[];
  readonly rules: readonly { readonly key: Argument; readonly value: Argument }[];
}

/** An argument with a known value. */
export const valueArgument = (value: unknown): Argument => ({ code: () => value });

/** Where the value of an argument comes from. */
export type ArgumentSource =
  | { readonly kind: 'receiver' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly argument: Argument; readonly name?: string | undefined }
  | { readonly kind: 'rule'; readonly key: Argument; readonly value: Argument };

/** An overload that the arguments fit, as far as known without their values. */
export interface Binding {
  readonly overload: Overload;
  /** The parameter of each value; undefined for an omitted argument. */
  readonly parameters: readonly (Parameter | undefined)[];
  /** Builds the body's arguments from the values. Undefined when a type rejects its value. */
  readonly assemble: (values: readonly unknown[]) => unknown[] | undefined;
}

/** The arguments of a call in evaluation order. */
export function sourcesOf(args: ArgumentList, isMethod: boolean, takesRules: boolean): ArgumentSource[] {
  const sources: ArgumentSource[] = isMethod ? [{ kind: 'receiver' }] : [];
  for (const argument of args.positional) sources.push(argument ? { kind: 'value', argument } : { kind: 'empty' });
  for (const { key, value } of args.rules) {
    sources.push(takesRules ? { kind: 'rule', key, value } : { kind: 'value', argument: value, name: key.word });
  }
  return sources;
}

/**
 * Assigns arguments to an overload's parameters by arity, names and the types of literals; undefined if they do not
 * fit.
 */
export function bind(overload: Overload, sources: readonly ArgumentSource[]): Binding | undefined {
  const parameters: (Parameter | undefined)[] = sources.map(() => undefined);
  const positional = sources.filter((source) => nameOf(source) === undefined).length;
  const slots: Slot[] = overload.parameters.map((parameter, index) => {
    const given = index < positional && sources[index]?.kind !== 'empty' ? index : undefined;
    return { parameter, at: given ?? named(sources, parameter.name) };
  });
  const rest: Slot[] = [];
  for (let index = slots.length; index < positional; index += 1) {
    if (overload.rest === undefined || sources[index]?.kind === 'empty') return undefined;
    rest.push({ parameter: overload.rest, at: index });
  }
  const byName = overload.named.map((parameter) => ({ parameter, at: named(sources, parameter.name) }));
  for (const { parameter, at } of [...slots, ...rest, ...byName]) {
    if (at === undefined ? parameter.required : !admits(parameter, sources[at])) return undefined;
    if (at !== undefined) parameters[at] = parameter;
  }
  const extra = sources.flatMap((source, at) => nameOf(source) !== undefined && parameters[at] === undefined ? [at] : []); // oxfmt-ignore
  if (extra.length > 0 && !overload.anyNamed) return undefined;
  const extras = extra.map((at) => [nameOf(sources[at]) as string, at] as const);
  return { overload, parameters, assemble: (values) => assemble(overload, slots, rest, byName, extras, values) };
}

interface Slot {
  readonly parameter: Parameter;
  /** Index of the value; undefined: use the default. */
  readonly at: number | undefined;
}

const nameOf = (source: ArgumentSource | undefined): string | undefined =>
  source?.kind === 'value' ? source.name : undefined;

function named(sources: readonly ArgumentSource[], name: string): number | undefined {
  const at = sources.findIndex((source) => nameOf(source) === name);
  return at < 0 ? undefined : at;
}

function admits({ type }: Parameter, source: ArgumentSource | undefined): boolean {
  if (source?.kind === 'rule') return type.lazy === 'rule';
  if (type.lazy === 'rule') return false;
  return (
    source?.kind !== 'value' || source.argument.literal === undefined || type.accepts(source.argument.literal.value)
  );
}

function assemble(
  overload: Overload,
  slots: readonly Slot[],
  rest: readonly Slot[],
  byName: readonly Slot[],
  extras: readonly (readonly [string, number])[],
  values: readonly unknown[],
): unknown[] | undefined {
  const result: unknown[] = [];
  if (!fill(result, slots, values)) return undefined;
  if (overload.rest !== undefined) {
    const further: unknown[] = [];
    if (!fill(further, rest, values)) return undefined;
    result.push(further);
  }
  if (!fill(result, byName, values)) return undefined;
  if (overload.anyNamed) result.push(new Map(extras.map(([name, at]) => [name, values[at]])));
  return result;
}

function fill(target: unknown[], slots: readonly Slot[], values: readonly unknown[]): boolean {
  for (const { parameter, at } of slots) {
    if (at === undefined) {
      target.push(parameter.fallback);
      continue;
    }
    const value = values[at];
    const { accepts, convert, lazy } = parameter.type;
    if (lazy === undefined && !accepts(value)) return false;
    target.push(convert === undefined || lazy !== undefined ? value : convert(value));
  }
  return true;
}
