import {
  holdsSlot,
  isCancelable,
  isFailure,
  isStatus,
  isTerminal,
  mayMove,
  STATUSES,
  statusesBefore,
  type Status,
} from '@switchyard/model';

/** Rows are moved to columns. This is a second copy of the whole table, so that every change of it is deliberate. */
const TABLE = `
              req sch del run suc fai tim aba cag can pen pag pau res
requested      .   x   x   .   x   x   x   x   x   x   .   .   .   .
scheduled      x   .   x   x   x   x   x   x   x   x   .   .   .   .
delayed        x   x   .   .   x   x   x   x   x   x   .   .   .   .
running        x   .   .   .   x   x   x   x   x   x   x   x   x   .
succeeded      .   .   .   .   .   .   .   .   .   .   .   .   .   .
failed         .   .   .   .   .   .   .   .   .   .   .   .   .   .
timeout        .   .   .   .   .   .   .   .   .   .   .   .   .   .
abandoned      .   .   .   .   .   .   .   .   .   .   .   .   .   .
canceling      .   .   .   .   x   x   x   x   .   x   .   .   .   .
canceled       .   .   .   .   .   .   .   .   .   .   .   .   .   .
pending        .   .   .   .   x   x   x   x   x   x   .   .   .   .
pausing        .   .   .   x   x   x   x   x   x   x   .   .   x   .
paused         .   .   .   .   x   x   x   x   x   x   .   .   .   x
resuming       .   .   .   x   x   x   x   x   x   x   .   x   .   .
`;

const moves = TABLE.trim()
  .split('\n')
  .slice(1)
  .flatMap((line) => {
    const [from, ...marks] = line.trim().split(/\s+/);
    return marks.map((mark, column) => [from as Status, STATUSES[column]!, mark === 'x'] as const);
  });

describe('the transition table', () => {
  it('is complete in this test', () => expect(moves).toHaveLength(STATUSES.length ** 2));

  it.each(moves)('%s → %s: %p', (from, to, legal) => {
    expect(mayMove(from, to)).toBe(legal);
    expect(statusesBefore(to).includes(from)).toBe(legal);
  });

  it.each(STATUSES.filter(isTerminal))('%s is final', (status) =>
    expect(STATUSES.some((to) => mayMove(status, to))).toBe(false),
  );

  it.each(STATUSES.filter((status) => !isTerminal(status)))('%s can be ended', (status) =>
    expect(STATUSES.filter(isTerminal).every((end) => mayMove(status, end))).toBe(true),
  );

  it.each(STATUSES.filter(isCancelable))('%s can be canceled', (status) => {
    expect(mayMove(status, 'canceled')).toBe(true);
  });
});

it.each<[string, (status: Status) => boolean, Status[]]>([
  ['terminal', isTerminal, ['succeeded', 'failed', 'timeout', 'abandoned', 'canceled']],
  ['failures', isFailure, ['failed', 'timeout', 'abandoned']],
  ['holding a slot', holdsSlot, ['scheduled', 'running', 'canceling', 'pausing', 'resuming']],
  [
    'cancelable',
    isCancelable,
    ['requested', 'scheduled', 'delayed', 'running', 'pending', 'pausing', 'paused', 'resuming'],
  ],
])('the statuses that are %s', (_, holds, expected) => expect(STATUSES.filter(holds)).toEqual(expected));

it.each([
  ['running', true],
  ['policy-delayed', false],
  ['', false],
  ['toString', false],
])('%p is a status: %p', (text, expected) => expect(isStatus(text)).toBe(expected));
