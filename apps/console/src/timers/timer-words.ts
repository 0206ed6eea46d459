import type { TimerDetail } from '../api/client';
import { textMember } from '../shared/text-member';

/** `Every 5 minutes`, `Every hour`, `Once at 2030-01-02 07:30`, `When hour is 7 and minute is 30 (Europe/Oslo)` */
export function timerInWords({ type, parameters }: Pick<TimerDetail, 'type' | 'parameters'>): string {
  const { timezone: _zone, ...fields } = parameters;
  const zone = textMember(parameters, 'timezone');
  const place = zone === '' ? '' : ` (${zone})`;
  if (type.endsWith('IntervalTimer')) {
    const unit = textMember(fields, 'unit');
    return fields['delta'] === 1 ? `Every ${unit.replace(/s$/, '')}` : `Every ${String(fields['delta'])} ${unit}`;
  }
  if (type.endsWith('DateTimer')) return `Once at ${textMember(fields, 'date')}${place}`;
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== '*');
  return `When ${given.map(([name, value]) => `${name.replaceAll('_', ' ')} is ${String(value)}`).join(' and ')}${place}`;
}
