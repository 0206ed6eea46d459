interface DescribedPack {
  readonly ref?: string;
  readonly name?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
}

/** Whether all words of the search appear in what describes the pack. */
export function packMatches(
  { ref = '', name = '', description = '', keywords = [] }: DescribedPack,
  text: string,
): boolean {
  const described = [ref, name, description, ...keywords].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => described.includes(word));
}
