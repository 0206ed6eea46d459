import { atLeast } from '@switchyard/storage';
import { fault, isoToMicros, SECOND_MICROS, type Micros } from '@switchyard/base';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Parses `7d`, `36h`, `90m` (ago), or a time such as `2030-01-31T12:00:00Z`. @throws Fault `request.since` */
export function sinceTime(text: string, now: Micros): Micros {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const micros = count === undefined ? isoToMicros(text) : now - Number(count) * (UNITS[unit] ?? 0) * SECOND_MICROS;
  if (micros === undefined) throw fault('request.since', { text });
  return micros;
}

export const sinceCondition = (text: string, now: Micros) => atLeast(sinceTime(text, now));
