/**
 * Whether a routing key matches an AMQP topic pattern: `*` stands for exactly one word, `#` for any number of them,
 * none included.
 */
export function topicMatcher(pattern: string): (routingKey: string) => boolean {
  if (pattern === '#') return () => true;
  if (!/[*#]/.test(pattern)) return (routingKey) => routingKey === pattern;
  const words = pattern.split('.');
  return (routingKey) => matches(words, routingKey === '' ? [] : routingKey.split('.'));
}

function matches(pattern: readonly string[], words: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return words.length === 0;
  if (first === '#') return matches(rest, words) || (words.length > 0 && matches(pattern, words.slice(1)));
  return words.length > 0 && (first === '*' || first === words[0]) && matches(rest, words.slice(1));
}
