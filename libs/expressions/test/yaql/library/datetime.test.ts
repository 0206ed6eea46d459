import { yaqlText } from '../../../src';
import { fails, testAnswers } from '../answers';
import { scopeOf } from '../host';

describe('creating datetimes', () => {
  test.each([
    ['datetime(2021, 3, 4, 5, 6)', '2021-03-04 05:06:00+00:00'],
    ['datetime(2021, 3, 4, offset => timespan(hours => -5))', '2021-03-04 00:00:00-05:00'],
    ['datetime(1.5)', '1970-01-01 00:00:01.500000+00:00'],
    ['datetime(-1)', '1969-12-31 23:59:59+00:00'],
    ["datetime('2021-03-04')", '2021-03-04 00:00:00+00:00'],
    ["datetime('2021-03-04 05:06:07.89')", '2021-03-04 05:06:07.890000+00:00'],
    ["datetime('20210304T050607Z')", '2021-03-04 05:06:07+00:00'],
    ["datetime('2021-03-04T05:06-0330')", '2021-03-04 05:06:00-03:30'],
    ["datetime('March 4th, 2021 5:06 pm')", '2021-03-04 17:06:00+00:00'],
    ["datetime('4 Mar 2021 12am')", '2021-03-04 00:00:00+00:00'],
    ["datetime('Thu, 04 Mar 2021 05:06:07 +0100')", '2021-03-04 05:06:07+01:00'],
    ["datetime('Thu Mar  4 05:06:07 UTC 2021')", '2021-03-04 05:06:07+00:00'],
    ["datetime('3/4/2021')", '2021-03-04 00:00:00+00:00'],
    ["datetime('14/3/21')", '2021-03-14 00:00:00+00:00'],
    ["datetime('04.03.2021 10h30m')", '2021-04-03 10:30:00+00:00'],
    ["datetime('2021-03-04 05:06 -0500 (EST)')", '2021-03-04 05:06:00-05:00'],
    ["datetime('20210304 050607')", '2021-03-04 05:06:07+00:00'],
    ["datetime('4-Mar-2021')", '2021-03-04 00:00:00+00:00'],
    ["datetime('04/03/21 17', '%d/%m/%y %H')", '2021-03-04 17:00:00+00:00'],
    ["datetime('Mar 4 2021 05:06 PM +0230', '%b %d %Y %I:%M %p %z')", '2021-03-04 17:06:00+02:30'],
    ["datetime('2020 366', '%Y %j')", '2020-12-31 00:00:00+00:00'],
    ["datetime('12.5', '%S.%f')", '1900-01-01 00:00:12.500000+00:00'],
  ])('%s is %s', (source, text) => {
    expect(yaqlText(source, scopeOf({}))).toBe(text);
  });

  testAnswers([
    ["datetime('10:30').hour", 10],
    ["datetime('nonsense')", fails('ParserError: Unknown string format: nonsense')],
    ["datetime('')", fails('ParserError: String does not contain a date: ')],
    ["datetime('2021-02-30')", fails('ParserError: day is out of range for month: 2021-02-30')],
    ["datetime('04/03', '%d/%m/%y')", fails("ValueError: time data '04/03' does not match format '%d/%m/%y'")],
    ["datetime('04 x', '%d')", fails('ValueError: unconverted data remains:  x')],
    ["datetime('04', '%Q')", fails("ValueError: 'Q' is a bad directive in format '%Q'")],
    ['datetime(2021, 2, 29)', fails('ValueError: day is out of range for month')],
    ['datetime(0, 1, 1)', fails('ValueError: year 0 is out of range')],
    ['datetime(2021, 1, 1, 24)', fails('ValueError: hour must be in 0..23')],
    ['datetime(9999, 12, 31) + timespan(days => 1)', fails('OverflowError: date value out of range')],
  ]);
});

describe('datetimes', () => {
  testAnswers([
    ['let(datetime(2021, 3, 4, 5, 6, 7, 8)) -> [$.year, $.month, $.day, $.hour, $.minute, $.second, $.microsecond, $.weekday]', [2021, 3, 4, 5, 6, 7, 8, 3]],
    ['let(datetime(2021, 3, 4, 5, offset => timespan(hours => 2))) -> [$.date, $.time, $.utc, $.offset]', ['2021-03-04T00:00:00+02:00', '5:00:00', '2021-03-04T03:00:00+00:00', '2:00:00']],
    ['datetime(1970, 1, 1, 2, offset => timespan(hours => 2)).timestamp', 0],
    ['datetime(2021, 3, 4).replace(day => 5, offset => timespan(hours => 1))', '2021-03-05T00:00:00+01:00'],
    ['datetime(2021, 3, 31).replace(month => 2)', fails('ValueError: day is out of range for month')],
    ["datetime(2021, 3, 4, 17, 6, 7, 80).format('%a %A %b %B %d %e %H %I %p %M %S %f %j %y %% %q')", 'Thu Thursday Mar March 04  4 17 05 PM 06 07 000080 063 21 % %q'],
    ["datetime(2021, 1, 3).format('%w %u %U %W %V %G %F %T %z %Z %c %x')", '0 7 01 00 53 2020 2021-01-03 00:00:00 +0000 UTC Sun Jan  3 00:00:00 2021 01/03/21'],
    ["datetime(2021, 3, 4, 5).format('%-d.%-m. %k %l %P %g %_d|%^a|%5d|%_3H|%3e|%05e|%-j|%#p|%-q')", '4.3.  5  5 am 21  4|THU|00004|  5|  4|00004|63|am|%-q'],
    ["datetime(2021, 1, 3, offset => timespan(hours => 2)).format('%Z%z')", '+0200'],
    ['datetime(2021, 3, 1) - datetime(2021, 2, 1)', '28 days, 0:00:00'],
    ['(datetime(2021, 3, 1) - timespan(seconds => 1)).day', 28],
    ['datetime(2021, 1, 1, 1, offset => timespan(hours => 1)) = datetime(2021, 1, 1)', true],
    ['datetime(2021, 1, 2) > datetime(2021, 1, 1) and not (datetime(0) < datetime(0))', true],
    ['now() > datetime(2020, 1, 1) and now(timespan(hours => 3)).offset.hours = 3', true],
    ['isDatetime(now()) and not isDatetime(0) and isTimespan(localtz()) and utctz() = timespan()', true],
    ["5.replace(year => 1)", fails('NoMatchingMethodException: No method "replace" for receiver 5 matches supplied arguments')],
  ]); // oxfmt-ignore
});

describe('timespans', () => {
  testAnswers([
    ['timespan(1, 2, 3, 4, 5, 6)', '1 day, 2:03:04.005006'],
    ['timespan(days => -2, hours => 1)', '-2 days, 1:00:00'],
    ['let(timespan(hours => 36)) -> [$.days, $.hours, $.minutes, $.seconds, $.milliseconds, $.microseconds]', [1.5, 36, 2160, 129600, 129600000, 129600000000]],
    ['timespan(hours => 3) * 2 / 4', '1:30:00'],
    ['2.5 * timespan(minutes => 1)', '0:02:30'],
    ['timespan(microseconds => 5) / 2', '0:00:00.000002'],
    ['timespan(hours => 1) / timespan(minutes => 30)', 2],
    ['timespan(hours => 1) / 0', fails('ZeroDivisionError: division by zero')],
    ['-timespan(hours => 1) + timespan(hours => 2) - +timespan(minutes => 1)', '0:59:00'],
    ['timespan(seconds => true)', fails('NoMatchingFunctionException: No function "timespan" matches supplied arguments')],
    ['timespan(days => 1000000000)', fails('OverflowError: days=1000000000; must have magnitude <= 999999999')],
    ['timespan(1).weeks', fails('NoFunctionRegisteredException: Unknown function "#property#weeks"')],
  ]); // oxfmt-ignore
});
