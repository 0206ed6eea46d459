import type { Tag } from '../resources/fields';

type GivenTag = { readonly [Part in keyof Tag]?: Tag[Part] | null };

/** Fills in the empty text for a name or a value that a client or a file left out. */
export const wholeTags = (given: readonly GivenTag[] | null | undefined): Tag[] =>
  (given ?? []).map(({ name, value }) => ({ name: name ?? '', value: value ?? '' }));
