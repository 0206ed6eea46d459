export type Direction = 1 | -1;

/** The query parameter of lists that can be sorted. */
export const sortParameter = {
  sort: { type: 'string', description: 'Comma-separated keys; a key with the prefix - sorts in descending order' },
} as const;

/**
 * Parses `a,-b,+c`. Unknown keys are ignored, as clients expect.
 * @param sortable key that clients know → stored field
 * @param order the default, if no known key is given
 */
export function readSort<F extends string>(
  text: string | undefined,
  sortable: Readonly<Record<string, F>>,
  order: { readonly [Field in F]?: Direction },
): { [Field in F]?: Direction } {
  const chosen: { [Field in F]?: Direction } = {};
  for (const part of text?.split(',') ?? []) {
    // An unescaped plus sign arrives as a space.
    const [, sign, key = ''] = /^\s*([-+]?)(.*?)\s*$/.exec(part) ?? [];
    const field = Object.hasOwn(sortable, key) ? sortable[key] : undefined;
    if (field !== undefined) chosen[field] ??= sign === '-' ? -1 : 1;
  }
  return Object.keys(chosen).length > 0 ? chosen : { ...order };
}
