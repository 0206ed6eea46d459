import type { DataLimits } from '@switchyard/base';
import type { LegacyOption, Option } from './option';
import type { optionTable } from './option-table';

type Table = typeof optionTable;

type ActiveOptions<S> = {
  readonly [O in keyof S as S[O] extends LegacyOption ? never : O]: S[O] extends Option<infer T> ? T : never;
};

type Sections = { readonly [S in keyof Table]: ActiveOptions<Table[S]> };

/** The compiled configuration: `config.api.port`. Deeply frozen. Sections with only legacy options are absent. */
export type Config = { readonly [S in keyof Sections as keyof Sections[S] extends never ? never : S]: Sections[S] };

/** Settings from the command line or an embedding program: typed values, or strings as in a file. */
export type ConfigOverrides = {
  readonly [S in keyof Config]?: { readonly [O in keyof Config[S]]?: Config[S][O] | string };
};

/** The limits on data in `[limits]`. */
export const dataLimits = ({ limits }: Pick<Config, 'limits'>): DataLimits => ({
  maxDepth: limits.max_depth,
  maxMembers: limits.max_members,
  maxKeyLength: limits.max_key_length,
  maxStringLength: limits.max_string_length,
});

/** The limits in `[limits]` on the expressions of one request, rule match or task. */
export const expressionLimits = ({ limits }: Pick<Config, 'limits'>) => ({
  steps: limits.expression_steps,
  durationMs: limits.expression_ms,
});
