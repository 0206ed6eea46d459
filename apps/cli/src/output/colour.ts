const CODES: Readonly<Record<string, number>> = { succeeded: 32, failed: 31, timeout: 33, abandoned: 31, delayed: 34 };
const OTHERS = 33;

/** Colours `text` by the status that it tells of: the first word of `status`. */
export function statusColour(text: string, status: string): string {
  const code = CODES[status.split(' ')[0] ?? ''] ?? OTHERS;
  return `\u001b[${code}m${text}\u001b[0m`;
}
