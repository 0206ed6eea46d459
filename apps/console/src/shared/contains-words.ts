/** Whether one of the texts contains each word of the search, whatever its case. */
export function containsWords(search: string, ...texts: readonly (string | undefined)[]): boolean {
  const searched = texts.join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
