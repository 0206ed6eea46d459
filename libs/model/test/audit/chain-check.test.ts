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

function check(records: readonly AuditRecord[], own: readonly AuditHead[] = []) {
  const checking = chainCheck([...own, ...records.flatMap(({ heads = [] }) => heads)]);
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
