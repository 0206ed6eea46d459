import type { JsonObject } from '@switchyard/base';

export type OptionType = 'bool' | 'int' | 'float' | 'str' | 'list' | 'dict' | 'json';

/** One row of the option table. `T` is the type of the compiled value. A default of null means "unset". */
export interface Option<T> extends OptionTraits {
  readonly type: OptionType;
  readonly default: T;
  readonly description: string;
}

export interface OptionTraits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly choices?: readonly string[];
  /** All values of the dict must be numbers above 0. */
  readonly weights?: true;
  /** Messages never show the value. */
  readonly secret?: true;
  /** A leading `~` stands for the home directory. */
  readonly path?: true;
  /** What the configured path must name. Only `svc config check` looks. */
  readonly mustExist?: 'file' | 'directory';
  /** SIGHUP applies a new value to a running process. */
  readonly reloadable?: true;
  /** Deprecated `section.option` names that still set this option. */
  readonly aliases?: readonly string[];
  /** A value that needs a missing feature. Nothing starts with it. */
  readonly refused?: MissingFeature;
  /** A value that needs a missing feature. It causes a warning only. */
  readonly ignored?: MissingFeature;
}

export interface MissingFeature {
  readonly value: unknown;
  /** What is missing and, if that is not obvious, what to do instead. */
  readonly reason: string;
}

/** A name that StackStorm's files may contain and that has no effect here. It has a reason instead of a value. */
export interface LegacyOption {
  readonly legacy: true;
  readonly reason: string;
}

export type OptionEntry = Option<unknown> | LegacyOption;

/** The type of the value: a default of null adds null. */
type Or<D, T> = D extends null ? T | null : T;
type Dict = Readonly<Record<string, string>>;

export const bool = <D extends boolean | null>(value: D, description: string, traits: OptionTraits = {}) =>
  define<Or<D, boolean>>('bool', value as Or<D, boolean>, description, traits);

export const intOption = <D extends number | null>(value: D, description: string, traits: OptionTraits = {}) =>
  define<Or<D, number>>('int', value as Or<D, number>, description, traits);

export const floatOption = <D extends number | null>(value: D, description: string, traits: OptionTraits = {}) =>
  define<Or<D, number>>('float', value as Or<D, number>, description, traits);

export const str = <D extends string | null>(value: D, description: string, traits: OptionTraits = {}) =>
  define<Or<D, string>>('str', value as Or<D, string>, description, traits);

export const path = <D extends string | null>(value: D, description: string, traits: OptionTraits = {}) =>
  define<Or<D, string>>('str', value as Or<D, string>, description, { ...traits, path: true });

/** One of a list of strings, compared without regard to case. */
export const choice = <const C extends string, D extends NoInfer<C> | null>(
  choices: readonly C[],
  value: D,
  description: string,
  traits: OptionTraits = {},
) => define<Or<D, C>>('str', value as Or<D, C>, description, { ...traits, choices });

export const list = (value: readonly string[], description: string, traits: OptionTraits = {}) =>
  define<readonly string[]>('list', value, description, traits);

export const dict = (value: Dict, description: string, traits: OptionTraits = {}) =>
  define<Dict>('dict', value, description, traits);

/** A positive number for each name. */
export const weights = (description: string, traits: OptionTraits = {}) =>
  define<Dict>('dict', {}, description, { ...traits, weights: true });

/** A JSON object, or null when unset. */
export const json = (description: string, traits: OptionTraits = {}) =>
  define<Readonly<JsonObject> | null>('json', null, description, traits);

export const legacy = (reason: string): LegacyOption => ({ legacy: true, reason });

export const isLegacy = (entry: OptionEntry): entry is LegacyOption => 'legacy' in entry;

function define<T>(type: OptionType, value: T, description: string, traits: OptionTraits): Option<T> {
  return { type, default: value, description, ...traits };
}
