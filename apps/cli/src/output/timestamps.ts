import { SECOND_MS } from '@switchyard/base';
import { isTerminal, type Status } from '@switchyard/model';

/** `Tue, 17 Feb 2015 17:28:28 UTC`, in the given zone. A text that is no time is left as it is. */
export function readableTime(iso: string, timeZone: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).formatToParts(time);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? '';
  const day = `${part('weekday')}, ${part('day')} ${part('month').slice(0, 3)} ${part('year')}`;
  return `${day} ${part('hour')}:${part('minute')}:${part('second')} ${part('timeZoneName')}`;
}

/** ` (3s elapsed)` for what runs or has ended, else nothing. */
export function elapsedNote(
  {
    status,
    start_timestamp: start,
    end_timestamp: end,
  }: { status: Status; start_timestamp?: string; end_timestamp?: string },
  now: number = Date.now(),
): string {
  if (start === undefined || (status !== 'running' && !isTerminal(status))) return '';
  const until = end === undefined ? now : Date.parse(end);
  return ` (${Math.max(0, Math.floor((until - Date.parse(start)) / SECOND_MS))}s elapsed)`;
}
