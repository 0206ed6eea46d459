import { hostname } from 'node:os';
import { isPlainObject, SECOND_MS } from '@switchyard/base';
import type { LogLevel } from './logger';

/** A log line before it is formatted. The fields are masked, and JSON can represent them. */
export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number;
  readonly service: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type LineFormat = (line: LogLine) => string;

export const lineFormats = {
  console: consoleFormat,
  json: jsonFormat,
  gelf: gelfFormat,
} as const satisfies Record<string, LineFormat>;

export type LogFormat = keyof typeof lineFormats;

/** `2024-05-06T07:08:09.123Z INFO [api] message (key=value,key=value)` */
function consoleFormat({ level, message, timeMs, service, fields }: LogLine): string {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`);
  const extras = pairs.length === 0 ? '' : ` (${pairs.join(',')})`;
  return oneLine(`${new Date(timeMs).toISOString()} ${level.toUpperCase()} [${service}] ${message}${extras}`);
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Escapes control characters, so that text from outside cannot forge lines or control a terminal. */
const oneLine = (text: string): string =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (character) => shortEscapes[character] ?? escaped(character),
  );

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One JSON object. A field with the name of a standard member gets an underscore as prefix. */
function jsonFormat({ level, message, timeMs, service, fields }: LogLine): string {
  const line: Record<string, unknown> = { timestamp: new Date(timeMs).toISOString(), level, service, message };
  for (const [name, value] of Object.entries(fields)) line[name in line ? `_${name}` : name] = value;
  return JSON.stringify(line);
}

/** Graylog Extended Log Format 1.1, with the additional members of StackStorm. Fields get an underscore as prefix. */
function gelfFormat({ level, message, timeMs, service, fields }: LogLine): string {
  const { error, ...others } = fields;
  const line: Record<string, unknown> = {
    version: '1.1',
    host,
    short_message: message.split('\n', 1)[0],
    full_message: message,
    timestamp: Math.floor(timeMs / SECOND_MS),
    timestamp_f: timeMs / SECOND_MS,
    level: syslogLevels[level],
    _service: service,
    _process: process.pid,
    ...exceptionMembers(error),
  };
  for (const [name, value] of Object.entries(others)) line[`_${name}`] = value;
  return JSON.stringify(line);
}

const host = hostname();

const syslogLevels: Readonly<Record<LogLevel, number>> = { audit: 6, error: 3, warn: 4, info: 6, debug: 7 };

function exceptionMembers(error: unknown): Record<string, unknown> {
  if (error === undefined) return {};
  if (!isPlainObject(error)) return { _exception: error };
  return { _exception: error['message'], ...(error['stack'] === undefined ? {} : { _traceback: error['stack'] }) };
}
