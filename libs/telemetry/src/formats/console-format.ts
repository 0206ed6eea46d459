import type { LogLine } from '../log-line';

/** `2024-05-06T07:08:09.123Z INFO [api] message (key=value,key=value)` */
export function consoleFormat({ level, message, timeMs, service, fields }: LogLine): string {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`);
  const extras = pairs.length === 0 ? '' : ` (${pairs.join(',')})`;
  return oneLine(`${new Date(timeMs).toISOString()} ${level.toUpperCase()} [${service}] ${message}${extras}`);
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Texts from outside must not be able to forge lines or to steer a terminal. */
const oneLine = (text: string): string =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (character) => shortEscapes[character] ?? escaped(character),
  );

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
