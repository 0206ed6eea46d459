import { hostname } from 'node:os';
import { lineFormats, type LogLine } from '../../src/line-formats';

const line: LogLine = {
  level: 'warn',
  message: 'Disk is full.\nMore.',
  timeMs: 1_700_000_000_250,
  service: 'api',
  fields: { path: '/a', free: 0, error: { message: 'ENOSPC', stack: 'at x' } },
};

test('console: one line that ends with the fields, without control characters', () => {
  expect(lineFormats.console(line)).toBe(
    '2023-11-14T22:13:20.250Z WARN [api] Disk is full.\\nMore. (path=/a,free=0,error={"message":"ENOSPC","stack":"at x"})',
  );
  const forged = lineFormats.console({ ...line, message: 'a\r\u001b[2J\u2028\u009b', fields: {} });
  expect(forged).toMatch(/ a\\r\\u001b\[2J\\u2028\\u009b$/);
});

test('json: one object', () => {
  expect(JSON.parse(lineFormats.json(line))).toEqual({
    timestamp: '2023-11-14T22:13:20.250Z',
    level: 'warn',
    service: 'api',
    message: line.message,
    ...line.fields,
  });
});

test('gelf: the members of version 1.1, fields with an underscore, the error as an exception', () => {
  expect(JSON.parse(lineFormats.gelf(line))).toEqual({
    version: '1.1',
    host: hostname(),
    short_message: 'Disk is full.',
    full_message: line.message,
    timestamp: 1_700_000_000,
    timestamp_f: 1_700_000_000.25,
    level: 4,
    _service: 'api',
    _process: process.pid,
    _path: '/a',
    _free: 0,
    _exception: 'ENOSPC',
    _traceback: 'at x',
  });
});

test.each([
  ['audit', 6],
  ['error', 3],
  ['warn', 4],
  ['info', 6],
  ['debug', 7],
] as const)('gelf: level %s is %d', (level, number) => {
  expect(JSON.parse(lineFormats.gelf({ ...line, level }))).toMatchObject({ level: number });
});
