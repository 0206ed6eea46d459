import { createEventParser } from '../../src/events/open-events';

test.each([
  ['one event', ['event: a\ndata: 1\n\n'], [{ event: 'a', data: '1' }]],
  ['keep-alive lines', ['\n\n\n: comment\n\nevent: a\ndata: 1\n\n'], [{ event: 'a', data: '1' }]],
  ['pieces that end anywhere', ['eve', 'nt: a\nda', 'ta: 1\n', '\n'], [{ event: 'a', data: '1' }]],
  ['carriage returns, split in the middle', ['event: a\r', '\ndata: 1\r\n\r', '\n'], [{ event: 'a', data: '1' }]],
  ['several lines of data', ['data: 1\ndata: 2\n\n'], [{ event: 'message', data: '1\n2' }]],
  ['values without a blank, and with colons', ['event:a\ndata:b: c\n\n'], [{ event: 'a', data: 'b: c' }]],
  ['an event that never ended', ['event: a\ndata: 1\n'], []],
])('reads %s', (_name, pieces, events) => {
  const parse = createEventParser();
  expect(pieces.flatMap(parse)).toEqual(events);
});
