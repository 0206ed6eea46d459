import { hostname } from 'node:os';
import { isPlainObject, SECOND_MS } from '@switchyard/base';
import type { LogLine } from '../log-line';
import type { LogLevel } from '../logger';

/** Graylog Extended Log Format 1.1, with the members that the reference adds; fields have an underscore in front. */
export function gelfFormat({ level, message, timeMs, service, fields }: LogLine): string {
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
