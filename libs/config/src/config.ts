import type { LegacyOption, Option } from './option';
import type { optionTable } from './option-table';

type Table = typeof optionTable;

type ActiveOptions<S> = {
  readonly [O in keyof S as S[O] extends LegacyOption ? never : O]: S[O] extends Option<infer T> ? T : never;
};

type Sections = { readonly [S in keyof Table]: ActiveOptions<Table[S]> };

/** The compiled configuration: `config.api.port`. Deep-frozen; sections of legacy options only are absent. */
export type Config = { readonly [S in keyof Sections as keyof Sections[S] extends never ? never : S]: Sections[S] };

/** Settings from the command line or an embedding program: typed values, or texts as they would stand in a file. */
export type ConfigOverrides = {
  readonly [S in keyof Config]?: { readonly [O in keyof Config[S]]?: Config[S][O] | string };
};
