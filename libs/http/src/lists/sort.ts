export type Direction = 1 | -1;

/** The query parameter of lists that can be sorted. */
export const sortParameter = {
  sort: { type: 'string', description: 'Keys separated by commas, each with - for descending order' },
} as const;

/**
 * Reads `a,-b,+c`. Unknown keys are skipped, as clients expect.
 * @param sortable key that clients know → stored field
 * @param order what applies when no known key is given
 */
export function readSort(
  text: string | undefined,
  sortable: Readonly<Record<string, string>>,
  order: Readonly<Record<string, Direction>>,
): Record<string, Direction> {
  const chosen: Record<string, Direction> = {};
  for (const part of text?.split(',') ?? []) {
    // A plus sign that was not escaped arrives as a blank.
    const [, sign, key = ''] = /^\s*([-+]?)(.*?)\s*$/.exec(part) ?? [];
    const field = Object.hasOwn(sortable, key) ? sortable[key] : undefined;
    if (field !== undefined) chosen[field] ??= sign === '-' ? -1 : 1;
  }
  return Object.keys(chosen).length > 0 ? chosen : { ...order };
}
