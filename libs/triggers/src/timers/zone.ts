import { DAY_MS, SECOND_MS } from '@switchyard/base';

/** A local time, encoded as the milliseconds that the same reading would have in UTC. */
export type WallMs = number;

/** The instants (milliseconds since the epoch) that a local time stands for. */
export type ZoneReading =
  | { readonly kind: 'once'; readonly at: number }
  /** Clocks were set forward past it; `at` is the instant of the change. */
  | { readonly kind: 'skipped'; readonly at: number }
  /** Clocks were set back, so it occurs twice. */
  | { readonly kind: 'twice'; readonly at: number; readonly again: number };

/** An IANA time zone, as the runtime knows it. Valid for years 1 to 9999. */
export interface Zone {
  /** How far local time is ahead of UTC, in milliseconds. */
  offsetAt(instantMs: number): number;
  toWall(instantMs: number): WallMs;
  read(wall: WallMs): ZoneReading;
  /** The instant of a clock change after `from`, up to `to`. Pass instants at most days apart, so that there is at most one. */
  turnBetween(from: number, to: number): number | undefined;
}

/** Wide enough to straddle a whole day skipped by a zone (Samoa, 2011). */
const AROUND_MS = 1.5 * DAY_MS;

const zones = new Map<string, Zone>();

/**
 * Finds a zone by its case-insensitive name. Zones are cached: each holds a large formatter of the runtime.
 * @throws RangeError for an unknown name
 */
export function zoneOf(name: string): Zone {
  const key = name.toLowerCase();
  const known = zones.get(key) ?? createZone(name);
  zones.set(key, known);
  return known;
}

function createZone(timeZone: string): Zone {
  const offsetAt = offsets(timeZone);
  const turnBetween = (from: number, to: number): number | undefined => {
    const before = offsetAt(from);
    if (offsetAt(to) === before) return undefined;
    let [low, high] = [Math.floor(from / SECOND_MS), Math.ceil(to / SECOND_MS)];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle * SECOND_MS) === before) low = middle;
      else high = middle;
    }
    return high * SECOND_MS;
  };
  return {
    offsetAt,
    turnBetween,
    toWall: (instantMs) => instantMs + offsetAt(instantMs),
    read(wall) {
      const asBefore = wall - offsetAt(wall - AROUND_MS);
      const asAfter = wall - offsetAt(wall + AROUND_MS);
      const [at, again] = [asBefore, asAfter].filter((instant) => instant + offsetAt(instant) === wall);
      if (at === undefined) return { kind: 'skipped', at: turnBetween(asAfter, asBefore) ?? asBefore };
      return again === undefined || again === at ? { kind: 'once', at } : { kind: 'twice', at, again };
    },
  };
}

function offsets(timeZone: string): (instantMs: number) => number {
  const numeric = 'numeric';
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  if (format.resolvedOptions().timeZone === 'UTC') return () => 0;
  return (instantMs) => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instantMs)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instantMs / SECOND_MS) * SECOND_MS;
  };
}
