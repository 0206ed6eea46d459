import {
  auditId,
  chainCheck,
  chainedRecord,
  type AuditEntry,
  type AuditHead,
  type AuditRecord,
} from '@switchyard/model';

const entry = (user: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ kind: 'change', user, authenticated_by: 'token', address: '127.0.0.1', operation: 'rules.post' },
  ...{ resource_type: 'rule', resource: 'core.one', outcome: 'succeeded', status: 201, request_id: 'r', changed: [] },
  ...more,
});

function chainOf(writer: string, entries: readonly AuditEntry[]): AuditRecord[] {
  let head: AuditHead = { writer, sequence: 0, hash: '' };
  return entries.map((each, index) => {
    const record = chainedRecord(head, index, each);
    head = record;
    return record;
  });
}

const headOf = ({ writer, sequence, hash }: AuditRecord): AuditHead => ({ writer, sequence, hash });
const a = chainOf('a', [entry('ada'), entry('bob'), entry('cy')]);
const b = chainOf('b', [entry('dan'), entry('', { kind: 'checkpoint', heads: [headOf(a[2]!)] })]);

function check(records: readonly AuditRecord[], own: readonly AuditHead[] = [], removed: readonly AuditHead[] = []) {
  const checking = chainCheck([...own, ...records.flatMap(({ heads = [] }) => heads)], removed);
  for (const record of records) if (!checking.take(record)) break;
  return checking.finish();
}

it('accepts the chains of two writers', () => {
  expect(check([...a, ...b], [headOf(b[1]!)])).toEqual({ intact: true, records: 5, writers: 2 });
});

it('does not depend on the order of fields', () => {
  const turned = Object.fromEntries(Object.entries(a[0]!).reverse()) as AuditRecord;
  expect(check([turned, a[1]!, a[2]!, ...b]).intact).toBe(true);
});

describe('the first bad record', () => {
  const altered = (record: AuditRecord, change: Partial<AuditRecord>): AuditRecord => ({ ...record, ...change });
  const rewritten = chainOf('a', [entry('ada'), entry('bob'), entry('eve')]);
  const cases: [string, readonly AuditRecord[], string, RegExp][] = [
    ['is altered', [a[0]!, altered(a[1]!, { user: 'eve' }), a[2]!, ...b], auditId(a[1]!), /altered/],
    ['has an additional field', [a[0]!, altered(a[1]!, { omitted: 1 }), a[2]!, ...b], auditId(a[1]!), /altered/],
    ['is removed from the middle', [a[0]!, a[2]!, ...b], auditId(a[1]!), /missing/],
    ['is removed from the start', [a[1]!, a[2]!, ...b], auditId(a[0]!), /missing/],
    ['is reordered', [a[1]!, a[0]!, a[2]!, ...b], auditId(a[0]!), /missing/],
    ['has another place', [a[0]!, altered(a[2]!, { sequence: 2 }), ...b], a[2]!._id, /altered/],
    ['is the end of a chain that was cut off', [a[0]!, a[1]!, ...b], auditId(a[2]!), /checkpoint names it/],
    ['is in a chain that was removed', b, auditId(a[2]!), /checkpoint names it/],
    ['is in a chain that was written anew', [...rewritten, ...b], auditId(a[2]!), /another hash/],
  ];
  it.each(cases)('%s', (_, records, id, problem) => {
    const found = check(records);
    expect(found).toMatchObject({ intact: false, first_bad: id });
    expect(found.problem).toMatch(problem);
  });

  it('is the end of the chain of a running process', () => {
    const found = check([...a, b[0]!], [headOf(b[1]!)]);
    expect(found).toMatchObject({ intact: false, first_bad: auditId(b[1]!) });
  });
});

describe('a trail whose old records were removed', () => {
  const upTo = (record: AuditRecord): AuditHead[] => [headOf(record)];
  const longer = chainOf('a', [entry('ada'), entry('bob'), entry('cy'), entry('di')]);

  it('is intact from the first record that was kept', () => {
    expect(check([longer[2]!, longer[3]!], [], upTo(longer[1]!))).toEqual({ intact: true, records: 2, writers: 1 });
  });

  it('is intact while some of the old records are still there', () => {
    expect(check([longer[0]!, longer[2]!, longer[3]!], [], upTo(longer[1]!)).intact).toBe(true);
  });

  it('needs no chain that was removed up to its end', () => {
    expect(check(b, [], upTo(a[2]!)).intact).toBe(true);
  });

  it('counts the last removal of a chain', () => {
    expect(check([longer[3]!], [], [headOf(longer[2]!), headOf(longer[0]!)]).intact).toBe(true);
  });

  const cases: [string, readonly AuditRecord[], readonly AuditHead[], string, RegExp][] = [
    ['more was removed', [longer[3]!], upTo(longer[1]!), auditId(longer[2]!), /missing/],
    ['the rest was written anew', chainOf('a', [entry('eve'), entry('eve')]).slice(1), upTo(longer[0]!), auditId(longer[1]!), /follow/],
    ['the end was removed', b, upTo(a[1]!), auditId(a[2]!), /checkpoint names it/],
    ['an old record that is still there was altered', [{ ...longer[0]!, user: 'eve' }], upTo(longer[1]!), longer[0]!._id, /altered/],
  ]; // oxfmt-ignore
  it.each(cases)('is damaged if %s', (_, records, removed, id, problem) => {
    const found = check(records, [], removed);
    expect(found).toMatchObject({ intact: false, first_bad: id });
    expect(found.problem).toMatch(problem);
  });
});
