import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { intlLocale, shownNumber } from '../locales/language';

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

const relative = new Intl.RelativeTimeFormat(intlLocale(), { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(intlLocale(), { dateStyle: 'medium', timeStyle: 'long' });

export function relativeText(timeMs: number, nowMs: number): string {
  const seconds = Math.min((timeMs - nowMs) / 1000, 0);
  const [unit, size] = UNITS.find(([, each]) => -seconds >= each) ?? ['second', 1];
  return relative.format(Math.round(seconds / size), unit);
}

const ofDay = new Intl.DateTimeFormat(intlLocale(), { timeStyle: 'medium' });

/** The time of the day. */
export const clockText = (time: string): string => ofDay.format(new Date(time));

export const exactText = (time: string): string => exact.format(new Date(time));

/** A time as the value of an input field, in the time zone of the viewer; empty if there is none. */
export function localTimeText(time: string | null): string {
  const at = new Date(time ?? NaN);
  if (Number.isNaN(at.getTime())) return '';
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  // Browsers leave out seconds that are zero.
  return local.toISOString().slice(0, 19).replace(/:00$/, '');
}

/** A relative time, with the exact time as its title. */
export function RelativeTime({ time }: { time: string | undefined }) {
  const now = useNow(10_000);
  if (time === undefined) return null;
  return (
    <time dateTime={time} title={exactText(time)}>
      {relativeText(Date.parse(time), now)}
    </time>
  );
}

/** The current time, updated at the interval, if one is given. */
export function useNow(intervalMs: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (intervalMs === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return now;
}

const TENTHS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** `350 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min` */
export function durationText(seconds: number): string {
  if (seconds < 1) return t`${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return t`${shownNumber(seconds, TENTHS)} s`;
  const minutes = Math.floor(seconds / 60);
  const [restSeconds, restMinutes] = [Math.round(seconds % 60), minutes % 60];
  if (minutes < 60) return restSeconds === 0 ? t`${minutes} min` : t`${minutes} min ${restSeconds} s`;
  const hours = t`${Math.floor(minutes / 60)} h`;
  return restMinutes === 0 ? hours : t`${hours} ${restMinutes} min`;
}

interface Lasting {
  readonly start_timestamp?: string | undefined;
  readonly end_timestamp?: string | null | undefined;
}

/** The duration of an execution or task, up to now if it is running. */
export function Duration({ of: { start_timestamp: start, end_timestamp: end } }: { of: Lasting }) {
  const now = useNow(end ? undefined : 1000);
  if (start === undefined) return null;
  const endMs = end ? Date.parse(end) : now;
  return <span>{durationText(Math.max(endMs - Date.parse(start), 0) / 1000)}</span>;
}
