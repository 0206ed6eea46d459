/** Whether a host matches a list of patterns with `*` and `?`; one behind `!` excludes what it matches. */
export function matchesPatterns(patterns: readonly string[], host: string): boolean {
  const name = host.toLowerCase();
  const matching = patterns.filter((pattern) => matches(pattern.replace(/^!/, ''), name));
  return matching.length > 0 && !matching.some((pattern) => pattern.startsWith('!'));
}

function matches(pattern: string, name: string): boolean {
  const source = pattern
    .toLowerCase()
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(name);
}
