import type { LogLine } from '../log-line';

/** One JSON object. A field that is called like a member of every line gets an underscore in front. */
export function jsonFormat({ level, message, timeMs, service, fields }: LogLine): string {
  const line: Record<string, unknown> = { timestamp: new Date(timeMs).toISOString(), level, service, message };
  for (const [name, value] of Object.entries(fields)) line[name in line ? `_${name}` : name] = value;
  return JSON.stringify(line);
}
