import { isoToMicros, microsToIso, type Micros } from '@switchyard/base';
import { CRON_TIMER, DATE_TIMER, INTERVAL_TIMER, timerSchedule } from '../../src';

const at = (iso: string): Micros => isoToMicros(iso) as Micros;
const shown = (micros: Micros | undefined) => micros && microsToIso(micros).replace('.000000', '');

/** The first times at which a timer fires after an instant. */
function times(
  type: string,
  parameters: Record<string, unknown>,
  after: string,
  { localZone = 'UTC', anchor = after, count = 3 } = {},
): (string | undefined)[] {
  const schedule = timerSchedule(type, parameters, { localZone, anchor: at(anchor) });
  const found: (string | undefined)[] = [];
  for (let last: Micros | undefined = at(after); last !== undefined && found.length < count;) {
    last = schedule.next(last);
    found.push(shown(last) as string | undefined);
  }
  return found;
}

const cron = (parameters: Record<string, unknown>, after: string, options = {}) =>
  times(CRON_TIMER, parameters, after, options);

describe('an interval', () => {
  it.each([
    ['seconds', 90, ['2030-01-01T00:01:30Z', '2030-01-01T00:03:00Z']],
    ['minutes', 5, ['2030-01-01T00:05:00Z', '2030-01-01T00:10:00Z']],
    ['hours', 12, ['2030-01-01T12:00:00Z', '2030-01-02T00:00:00Z']],
    ['days', 1, ['2030-01-02T00:00:00Z', '2030-01-03T00:00:00Z']],
    ['weeks', 49, ['2030-12-10T00:00:00Z', '2031-11-18T00:00:00Z']],
  ])('in %s fires every %d of them', (unit, delta, expected) => {
    expect(times(INTERVAL_TIMER, { unit, delta }, '2030-01-01T00:00:00Z', { count: 2 })).toEqual(expected);
  });

  it('keeps the phase of its anchor to the microsecond', () => {
    const anchor = '2030-01-01T00:00:00.250001Z';
    expect(times(INTERVAL_TIMER, { unit: 'minutes', delta: 1 }, '2030-06-01T00:00:30Z', { anchor, count: 2 })).toEqual([
      '2030-06-01T00:01:00.250001Z',
      '2030-06-01T00:02:00.250001Z',
    ]);
    expect(times(INTERVAL_TIMER, { unit: 'minutes', delta: 1 }, '2029-06-01T00:00:00Z', { anchor, count: 1 })).toEqual([
      '2030-01-01T00:01:00.250001Z',
    ]);
  });

  it('ignores clock changes', () => {
    const options = { localZone: 'Europe/Oslo', count: 2 };
    expect(times(INTERVAL_TIMER, { unit: 'days', delta: 1 }, '2030-03-30T12:00:00Z', options)).toEqual([
      '2030-03-31T12:00:00Z',
      '2030-04-01T12:00:00Z',
    ]);
  });
});

describe('a date', () => {
  it.each([
    ['2030-05-06 07:08:09', undefined, '2030-05-06T07:08:09Z'],
    ['2030-05-06 07:08:09', 'Europe/Oslo', '2030-05-06T05:08:09Z'],
    ['2030-05-06T07:08:09.5', 'America/Los_Angeles', '2030-05-06T14:08:09.500000Z'],
    ['2030-05-06T07:08:09Z', 'Europe/Oslo', '2030-05-06T07:08:09Z'],
    ['2030-05-06T07:08:09+05:30', 'Europe/Oslo', '2030-05-06T01:38:09Z'],
    ['2030-05-06 07:08 UTC', 'Europe/Oslo', '2030-05-06T07:08:00Z'],
    ['6 May 2030 7pm', 'Asia/Tokyo', '2030-05-06T10:00:00Z'],
    ['6 May 2030 7 pm GMT', 'Asia/Tokyo', '2030-05-06T19:00:00Z'],
    ['20300506T070809', 'Asia/Tokyo', '2030-05-05T22:08:09Z'],
    ['20300506T070809Z', 'Asia/Tokyo', '2030-05-06T07:08:09Z'],
    ['2030-05-06', 'Asia/Tokyo', '2030-05-05T15:00:00Z'],
    ['2030-03-31 02:30', 'Europe/Oslo', '2030-03-31T01:00:00Z'],
    ['2030-10-27 02:30', 'Europe/Oslo', '2030-10-27T00:30:00Z'],
  ])('%s in %s is %s', (date, timezone, expected) => {
    const parameters = timezone === undefined ? { date } : { date, timezone };
    expect(times(DATE_TIMER, parameters, '2030-01-01T00:00:00Z')).toEqual([expected, undefined]);
    expect(times(DATE_TIMER, { date }, '2030-01-01T00:00:00Z', { localZone: timezone ?? 'UTC' })).toEqual([
      expected,
      undefined,
    ]);
  });

  it.each(['2014-12-31T23:59:59Z', '2030-01-01T00:00:00Z'])('%s in the past never fires', (date) => {
    expect(times(DATE_TIMER, { date }, '2030-01-01T00:00:00Z')).toEqual([undefined]);
  });

  it('with only a time means the day of registration in its time zone', () => {
    const options = { anchor: '2030-01-01T20:00:00Z', count: 1 };
    const parameters = { date: '10:00', timezone: 'Asia/Tokyo' };
    expect(times(DATE_TIMER, parameters, '2030-01-01T20:00:00Z', options)).toEqual(['2030-01-02T01:00:00Z']);
  });
});

describe('a cron timer', () => {
  it.each<[string, Record<string, unknown>, string, string[]]>([
    ['once a day', { hour: 3 }, '2030-01-01T03:00:00Z', ['2030-01-02T03:00:00Z', '2030-01-03T03:00:00Z']],
    ['once an hour', { minute: 0 }, '2030-01-01T03:00:00Z', ['2030-01-01T04:00:00Z', '2030-01-01T05:00:00Z']],
    ['each second', { second: '*' }, '2030-01-01T23:59:58.5Z', ['2030-01-01T23:59:59Z', '2030-01-02T00:00:00Z']],
    ['once a month', { month: '*' }, '2030-01-01T00:00:00Z', ['2030-02-01T00:00:00Z', '2030-03-01T00:00:00Z']],
    ['once a year', { year: '*' }, '2030-01-01T00:00:00Z', ['2031-01-01T00:00:00Z', '2032-01-01T00:00:00Z']],
    ['in one year', { year: 2199, month: '1', day: 1 }, '2030-01-01T00:00:00Z', ['2199-01-01T00:00:00Z']],
    ['in a past year', { year: 2029 }, '2030-01-01T00:00:00Z', []],
    ['steps', { minute: '*/20' }, '2030-01-01T00:00:00Z', ['2030-01-01T00:20:00Z', '2030-01-01T00:40:00Z']],
    ['steps from a value', { hour: '20/2' }, '2030-01-01T20:00:00Z', ['2030-01-01T22:00:00Z', '2030-01-02T20:00:00Z']],
    [
      'steps in a range',
      { second: '10-30/10' },
      '2030-01-01T00:00:10Z',
      ['2030-01-01T00:00:20Z', '2030-01-01T00:00:30Z'],
    ],
    ['the widest step', { second: '*/59' }, '2030-01-01T00:00:10Z', ['2030-01-01T00:00:59Z', '2030-01-01T00:01:00Z']],
    ['a list', { hour: '8,20-21' }, '2030-01-01T08:00:00Z', ['2030-01-01T20:00:00Z', '2030-01-01T21:00:00Z']],
    // 2030-01-01 is a Tuesday.
    ['0 is Monday', { day_of_week: 0 }, '2030-01-01T00:00:00Z', ['2030-01-07T00:00:00Z', '2030-01-14T00:00:00Z']],
    [
      'weekdays by name',
      { day_of_week: 'sat-sun' },
      '2030-01-01T00:00:00Z',
      ['2030-01-05T00:00:00Z', '2030-01-06T00:00:00Z'],
    ],
    ['months by name', { month: 'Feb,nov' }, '2030-01-01T00:00:00Z', ['2030-02-01T00:00:00Z', '2030-11-01T00:00:00Z']],
    [
      'day and weekday both',
      { day: 13, day_of_week: 'fri' },
      '2030-01-01T00:00:00Z',
      ['2030-09-13T00:00:00Z', '2030-12-13T00:00:00Z'],
    ],
    ['the last day', { day: 'last' }, '2030-01-31T00:00:00Z', ['2030-02-28T00:00:00Z', '2030-03-31T00:00:00Z']],
    ['the first Monday', { day: '1st mon' }, '2030-01-01T00:00:00Z', ['2030-01-07T00:00:00Z', '2030-02-04T00:00:00Z']],
    [
      'the last Friday',
      { day: 'last fri', hour: 18 },
      '2030-01-25T18:00:00Z',
      ['2030-02-22T18:00:00Z', '2030-03-29T18:00:00Z'],
    ],
    ['a fifth Thursday', { day: '5th thu' }, '2030-01-01T00:00:00Z', ['2030-01-31T00:00:00Z', '2030-05-30T00:00:00Z']],
    [
      'a week of the year',
      { week: 1, day_of_week: 'mon' },
      '2030-01-01T00:00:00Z',
      ['2030-12-30T00:00:00Z', '2031-12-29T00:00:00Z'],
    ],
    [
      'the week that not every year has',
      { week: 53, day_of_week: 'thu' },
      '2030-01-01T00:00:00Z',
      ['2032-12-30T00:00:00Z', '2037-12-31T00:00:00Z'],
    ],
    ['a leap day', { month: 2, day: 29 }, '2030-01-01T00:00:00Z', ['2032-02-29T00:00:00Z', '2036-02-29T00:00:00Z']],
    [
      'a leap day over a century',
      { month: 2, day: 29 },
      '2096-03-01T00:00:00Z',
      ['2104-02-29T00:00:00Z', '2108-02-29T00:00:00Z'],
    ],
    [
      'a leap day that is a Sunday',
      { month: 2, day: 29, day_of_week: 'sun' },
      '2032-03-01T00:00:00Z',
      ['2060-02-29T00:00:00Z', '2088-02-29T00:00:00Z'],
    ],
    ['a day that no month has', { month: 2, day: 30 }, '2030-01-01T00:00:00Z', []],
    ['a week that the month never has', { week: 53, month: 6 }, '2030-01-01T00:00:00Z', []],
  ])('%s: %j', (_, parameters, after, expected) => {
    expect(cron(parameters, after, { count: Math.max(1, expected.length) })).toEqual(
      expected.length > 0 ? expected : [undefined],
    );
  });

  it('uses its own time zone, else the local one', () => {
    const after = '2030-01-01T00:00:00Z';
    expect(cron({ hour: 3 }, after, { localZone: 'Asia/Kolkata', count: 1 })).toEqual(['2030-01-01T21:30:00Z']);
    expect(cron({ hour: 3, timezone: 'america/new_york' }, after, { localZone: 'Asia/Kolkata', count: 1 })).toEqual([
      '2030-01-01T08:00:00Z',
    ]);
  });
});

describe('a cron timer when clocks change', () => {
  // Oslo: 2030-03-31 02:00 -> 03:00 at 01:00Z, 2030-10-27 03:00 -> 02:00 at 01:00Z.
  const zone = { localZone: 'Europe/Oslo' };

  it.each<[string, Record<string, unknown>, string, string[]]>([
    [
      'fires at the change for a skipped time',
      { hour: 2, minute: 30 },
      '2030-03-30T12:00:00Z',
      ['2030-03-31T01:00:00Z', '2030-04-01T00:30:00Z'],
    ],
    [
      'fires once for several skipped times',
      { hour: '2,3', minute: '*/15' },
      '2030-03-31T00:59:59Z',
      ['2030-03-31T01:00:00Z', '2030-03-31T01:15:00Z'],
    ],
    [
      'fires at the change when computed right before it',
      { hour: 2, minute: 30 },
      '2030-03-31T00:59:59.5Z',
      ['2030-03-31T01:00:00Z'],
    ],
    [
      'fires only the first time for a repeated time',
      { hour: 2, minute: 30 },
      '2030-10-26T12:00:00Z',
      ['2030-10-27T00:30:00Z', '2030-10-28T01:30:00Z'],
    ],
    [
      'fires only the first time for several repeated times',
      { hour: '2,3', minute: '*/30' },
      '2030-10-27T00:00:00Z',
      ['2030-10-27T00:30:00Z', '2030-10-27T02:00:00Z'],
    ],
    [
      'skips the second occurrence when computed within it',
      { hour: 2, minute: '0,50' },
      '2030-10-27T01:20:00Z',
      ['2030-10-28T01:00:00Z'],
    ],
    [
      'fires in the repeated hour when it fires every hour',
      { minute: 30 },
      '2030-10-26T23:30:00Z',
      ['2030-10-27T00:30:00Z', '2030-10-27T01:30:00Z', '2030-10-27T02:30:00Z'],
    ],
    [
      'has no gap at a skipped hour when it fires every hour',
      { minute: 30 },
      '2030-03-30T23:30:00Z',
      ['2030-03-31T00:30:00Z', '2030-03-31T01:30:00Z', '2030-03-31T02:30:00Z'],
    ],
    [
      'fires in the repeated hour when it fires every minute',
      { second: '*/30' },
      '2030-10-27T00:59:30Z',
      ['2030-10-27T01:00:00Z', '2030-10-27T01:00:30Z'],
    ],
    [
      'follows the change a year later',
      { month: 10, day: 27, minute: 30 },
      '2030-10-27T22:45:00Z',
      ['2031-10-26T23:30:00Z'],
    ],
  ])('%s: %j', (_, parameters, after, expected) => {
    expect(cron(parameters, after, { ...zone, count: expected.length })).toEqual(expected);
  });

  it.each([
    // Half an hour.
    ['Australia/Lord_Howe', { hour: 2, minute: 15 }, '2030-10-05T00:00:00Z', '2030-10-05T15:30:00Z'],
    // A whole day: there was no 30 December 2011.
    ['Pacific/Apia', { year: 2011, month: 12, day: 30, hour: 12 }, '2011-12-29T00:00:00Z', '2011-12-30T10:00:00Z'],
    // At midnight.
    ['America/Asuncion', { hour: 0 }, '2023-09-30T12:00:00Z', '2023-10-01T04:00:00Z'],
  ])('in %s: %j', (localZone, parameters, after, expected) => {
    expect(cron(parameters, after, { localZone, count: 1 })).toEqual([expected]);
  });

  it('agrees with checking every second around two changes', () => {
    const minutes = { minute: '7,37', timezone: 'America/New_York' };
    const wall = new Intl.DateTimeFormat('en', { timeZone: 'America/New_York', minute: '2-digit' });
    for (const start of ['2030-03-10T00:00:00Z', '2030-11-03T00:00:00Z']) {
      const expected: string[] = [];
      for (let ms = at(start) / 1000 + 1000; expected.length < 24; ms += 1000)
        if (ms % 60_000 === 0 && ['7', '37', '07'].includes(wall.format(ms))) expected.push(shown(ms * 1000) as string);
      expect(cron(minutes, start, { count: 24 })).toEqual(expected);
    }
  });
});

describe('an invalid timer', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [INTERVAL_TIMER, { unit: 'seconds', delta: -1 }, 'trigger.timer-delta'],
    [INTERVAL_TIMER, { unit: 'seconds', delta: 0 }, 'trigger.timer-delta'],
    [INTERVAL_TIMER, { unit: 'seconds' }, 'trigger.timer-delta'],
    [INTERVAL_TIMER, { unit: 'fortnights', delta: 1 }, 'timer.unit'],
    [INTERVAL_TIMER, { unit: 'weeks', delta: 1e9 }, 'trigger.timer-too-long'],
    [DATE_TIMER, { date: 'soon' }, 'trigger.timer-date'],
    [DATE_TIMER, { date: '2030-01-01', timezone: 'Europe/Atlantis' }, 'trigger.timer-zone'],
    [CRON_TIMER, { hour: 3, timezone: 'Europe/Atlantis' }, 'trigger.timer-zone'],
    [CRON_TIMER, { hour: 24 }, 'trigger.timer-cron'],
    [CRON_TIMER, { day: 'last tuesday' }, 'trigger.timer-cron'],
    ...['*/60', '5-10/6', '5/55', '59/1', '1,*/61'].map((minute): [string, Record<string, unknown>, string] => [
      CRON_TIMER,
      { minute },
      'trigger.timer-cron',
    ]),
    [CRON_TIMER, { hour: '*/24' }, 'trigger.timer-cron'],
    [CRON_TIMER, { day_of_week: '*/7' }, 'trigger.timer-cron'],
    [CRON_TIMER, { day: '*/31' }, 'trigger.timer-cron'],
    [CRON_TIMER, { month: '*/12' }, 'trigger.timer-cron'],
    [CRON_TIMER, { week: '*/53' }, 'trigger.timer-cron'],
    [CRON_TIMER, {}, 'trigger.without-parameters'],
  ])('%s %j', (type, parameters, code) => {
    expect(() => timerSchedule(type, parameters, { localZone: 'UTC', anchor: at('2030-01-01T00:00:00Z') })).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it('may have an unknown local time zone', () => {
    expect(() => timerSchedule(CRON_TIMER, { hour: 1 }, { localZone: 'Nowhere', anchor: 0 })).toThrow(/Nowhere/);
  });
});
