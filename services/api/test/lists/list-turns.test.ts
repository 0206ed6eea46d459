import { cpuTimeMs } from '@switchyard/testkit/cpu-time';
import { pageBudget } from '../../src/lists/page-budget';
import { listRecords } from '../../src/lists/list-records';

const RECORDS = 20;
/** More than one piece of work may take in a turn. */
const READ_MS = 10;

/** Like an embedded store, it never yields between two records. */
async function* readSlowly() {
  for (let number = 0; number < RECORDS; number++) {
    for (const start = cpuTimeMs(); cpuTimeMs() - start < READ_MS;);
    yield { _id: String(number) };
  }
}

it('lets other work run while it reads a list of large records', async () => {
  let turns = 0;
  const others = setInterval(() => turns++, 0);
  const records = { each: readSlowly, count: () => Promise.resolve(RECORDS) };
  const page = { limit: RECORDS, offset: 0 };
  const budget = pageBudget({ limits: { max_list_bytes: 1000 } }, { path: '/things' });
  const { body } = await listRecords(records, { filter: {}, sort: {}, page, budget }, ({ _id: id }) => ({ id }));
  clearInterval(others);
  expect(body).toHaveLength(RECORDS);
  expect(turns).toBeGreaterThan(RECORDS / 2);
});
