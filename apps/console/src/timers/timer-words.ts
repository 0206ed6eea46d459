import { plural, t } from '@lingui/core/macro';
import type { TimerDetail } from '../api/client';
import { textMember } from '../shared/text-member';

/** `Every 5 minutes`, `Every hour`, `Once at 2030-01-02 07:30`, `When hour is 7 and minute is 30 (Europe/Oslo)` */
export function timerInWords({ type, parameters }: Pick<TimerDetail, 'type' | 'parameters'>): string {
  const { timezone: _zone, ...fields } = parameters;
  const zone = textMember(parameters, 'timezone');
  const place = zone === '' ? '' : ` (${zone})`;
  if (type.endsWith('IntervalTimer')) {
    return intervalInWords(Number(fields['delta']), textMember(fields, 'unit'));
  }
  if (type.endsWith('DateTimer')) return t`Once at ${textMember(fields, 'date')}` + place;
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== '*');
  const words = given.map(([name, value]) => t`${name.replaceAll('_', ' ')} is ${String(value)}`);
  const joint = ` ${t`and`} `;
  return t`When ${words.join(joint)}` + place;
}

function intervalInWords(delta: number, unit: string): string {
  switch (unit) {
    case 'seconds':
      return plural(delta, { one: 'Every second', other: 'Every # seconds' });
    case 'minutes':
      return plural(delta, { one: 'Every minute', other: 'Every # minutes' });
    case 'hours':
      return plural(delta, { one: 'Every hour', other: 'Every # hours' });
    case 'days':
      return plural(delta, { one: 'Every day', other: 'Every # days' });
    case 'weeks':
      return plural(delta, { one: 'Every week', other: 'Every # weeks' });
    default:
      return t`Every ${delta} ${unit}`;
  }
}
