import type { LineFormat } from '../log-line';
import { consoleFormat } from './console-format';
import { gelfFormat } from './gelf-format';
import { jsonFormat } from './json-format';

export const lineFormats = {
  console: consoleFormat,
  json: jsonFormat,
  gelf: gelfFormat,
} as const satisfies Record<string, LineFormat>;

export type LogFormat = keyof typeof lineFormats;
