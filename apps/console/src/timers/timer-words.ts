import type { TimerDetail } from '../api/client';
import { textMember } from '../shared/text-member';

/** `every 5 minutes`, `once at 2030-01-02 07:30`, `when hour is 7 and minute is 30 (Europe/Oslo)` */
export function timerInWords({ type, parameters }: TimerDetail): string {
  const { timezone: _zone, ...fields } = parameters;
  const zone = textMember(parameters, 'timezone');
  const place = zone === '' ? '' : ` (${zone})`;
  if (type.endsWith('IntervalTimer')) return `every ${String(fields['delta'])} ${textMember(fields, 'unit')}`;
  if (type.endsWith('DateTimer')) return `once at ${textMember(fields, 'date')}${place}`;
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== '*');
  return `when ${given.map(([name, value]) => `${name.replaceAll('_', ' ')} is ${String(value)}`).join(' and ')}${place}`;
}
