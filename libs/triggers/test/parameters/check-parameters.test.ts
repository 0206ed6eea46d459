import { systemClock } from '@switchyard/base';
import { builtInTypes } from '../../src/built-in-types';
import { checkTriggerParameters } from '../../src/check-parameters';

const types = new Map(builtInTypes(true).map((type) => [type.ref, type]));
const check =
  (name: string, parameters: Record<string, unknown>, whole = true) =>
  () =>
    checkTriggerParameters(
      { ref: `core.st2.${name}`, parameters_schema: { ...types.get(`core.st2.${name}`)?.parameters_schema } },
      parameters,
      { whole, now: systemClock().nowMicros() },
    );

it.each<[string, Record<string, unknown>]>([
  ['IntervalTimer', { unit: 'seconds', delta: 1 }],
  ['IntervalTimer', { unit: 'weeks', delta: 52000, timezone: 'Europe/Oslo' }],
  ['DateTimer', { date: '2030-01-02T03:04:05Z' }],
  ['DateTimer', { date: 'Jan 2 2030 3:04 pm', timezone: 'utc' }],
  ['CronTimer', { hour: 3 }],
  ['CronTimer', { day: '2nd fri, last', month: 'jan-mar', minute: '*/5', second: '10-50/20', week: '1' }],
  ['CronTimer', { day_of_week: 'mon-fri', hour: '8/2', year: '2030-2040' }],
  ['webhook', { url: 'a' }],
  ['webhook', { url: '/a/b c/' }],
])('accepts, for %s, %j', (type, parameters) => {
  expect(check(type, parameters)).not.toThrow();
});

it.each<[string, Record<string, unknown>, string]>([
  ['IntervalTimer', { unit: 'seconds', delta: 0 }, 'must be 1 or more, got 0'],
  ['IntervalTimer', { unit: 'seconds', delta: -1 }, 'must be 1 or more, got -1'],
  ['IntervalTimer', { unit: 'weeks', delta: 10 ** 9 }, 'longer than a timer can wait'],
  ['IntervalTimer', { unit: 'eons', delta: 1 }, "'eons' is not one of"],
  ['IntervalTimer', { unit: 'days', delta: 1, timezone: 'Mars/Base' }, '"Mars/Base" is not a time zone'],
  ['IntervalTimer', { unit: 'days', delta: 1, timezone: '' }, '"" is not a time zone'],
  ['DateTimer', { date: 'someday' }, '"someday" is not a date'],
  ['DateTimer', { date: '2030-13-01T00:00:00Z' }, 'is not a date'],
  ['CronTimer', {}, 'missing required "parameters" attribute'],
  ['CronTimer', { timezone: 'UTC' }, 'missing required "parameters" attribute'],
  ['CronTimer', { month: 13 }, '13 is greater than the maximum of 12'],
  ['CronTimer', { month: '13' }, 'Invalid value for the field "month" of the cron timer: \'13\''],
  ['CronTimer', { minute: '*/0' }, 'field "minute"'],
  ['CronTimer', { hour: '5-2' }, 'field "hour"'],
  ['CronTimer', { day: '6th mon' }, 'field "day"'],
  ['CronTimer', { day_of_week: 'noday' }, 'field "day_of_week"'],
  ['CronTimer', { minute: '1,'.repeat(5000) }, 'The field "minute" of the cron timer has 10000 characters'],
  ['CronTimer', { minute: '' }, 'field "minute"'],
  ['CronTimer', { hours: 1 }, "'hours' was unexpected"],
  ['webhook', {}, "'url' is a required property"],
  ['webhook', { url: '' }, 'cannot be served'],
  ['webhook', { url: '/' }, 'cannot be served'],
  ['webhook', { url: '//a' }, 'cannot be served'],
  ['webhook', { url: 'svc' }, 'taken by the generic hook'],
  ['webhook', { url: 'a\nb' }, 'control characters'],
])('refuses, for %s, %j', (type, parameters, text) => {
  expect(check(type, parameters)).toThrow(text);
});

it('checks built-in types even when validation is off, and skips others', () => {
  expect(check('webhook', {}, false)).toThrow("'url' is a required property");
  const open = { ref: 'demo.x', parameters_schema: { properties: { n: { type: 'integer' } } } };
  expect(() => checkTriggerParameters(open, { n: 'x' }, { whole: false, now: 0 })).not.toThrow();
  expect(() => checkTriggerParameters(open, { n: 'x' }, { whole: true, now: 0 })).toThrow(
    "'x' is not of type 'integer'",
  );
});
