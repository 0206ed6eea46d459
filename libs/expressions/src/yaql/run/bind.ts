import type { Argument, ArgumentList } from './argument';
import type { Overload, Parameter } from './overload';

/** Where the value of an argument comes from, in the order in which arguments are evaluated. */
export type Source =
  | { readonly kind: 'receiver' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly argument: Argument; readonly name?: string | undefined }
  | { readonly kind: 'rule'; readonly key: Argument; readonly value: Argument };

/** An overload that the arguments fit as far as can be told without their values. */
export interface Binding {
  readonly overload: Overload;
  /** For every value its parameter; undefined for an empty place. */
  readonly parameters: readonly (Parameter | undefined)[];
  /** The body's arguments from the values. Undefined when a type refuses its value. */
  readonly assemble: (values: readonly unknown[]) => unknown[] | undefined;
}

/** The arguments of a call in the order of their evaluation. */
export function sourcesOf(args: ArgumentList, isMethod: boolean, takesRules: boolean): Source[] {
  const sources: Source[] = isMethod ? [{ kind: 'receiver' }] : [];
  for (const argument of args.positional) sources.push(argument ? { kind: 'value', argument } : { kind: 'empty' });
  for (const { key, value } of args.rules) {
    sources.push(takesRules ? { kind: 'rule', key, value } : { kind: 'value', argument: value, name: key.word });
  }
  return sources;
}

/** Lays arguments out over an overload's parameters by arity, names and the types of literals; undefined when they do not fit. */
export function bind(overload: Overload, sources: readonly Source[]): Binding | undefined {
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
  const extra = sources.flatMap((source, at) => nameOf(source) !== undefined && parameters[at] === undefined ? [at] : []); // prettier-ignore
  if (extra.length > 0 && !overload.anyNamed) return undefined;
  const extras = extra.map((at) => [nameOf(sources[at]) as string, at] as const);
  return { overload, parameters, assemble: (values) => assemble(overload, slots, rest, byName, extras, values) };
}

interface Slot {
  readonly parameter: Parameter;
  /** Index of the value; undefined: the default. */
  readonly at: number | undefined;
}

const nameOf = (source: Source | undefined): string | undefined => (source?.kind === 'value' ? source.name : undefined);

function named(sources: readonly Source[], name: string): number | undefined {
  const at = sources.findIndex((source) => nameOf(source) === name);
  return at < 0 ? undefined : at;
}

function admits({ type }: Parameter, source: Source | undefined): boolean {
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
