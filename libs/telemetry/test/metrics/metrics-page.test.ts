import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricTable, type MetricRow } from '@switchyard/telemetry';

const page = readFileSync(join(__dirname, '../../../../docs/metrics.md'), 'utf8');
const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const listed = new Map(
  page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map(cellsOf)
    .map(([name = '', kind, , when]) => [name.replaceAll('`', ''), { kind, when }]),
);
const rows = Object.entries<MetricRow>(metricTable).map(
  ([name, row]) => [row.labels ? (row.prometheus ?? name) : name, row] as const,
);

it.each(rows)('docs/metrics.md lists %s correctly', (name, { kind, when, prometheus }) => {
  expect(listed.get(name)).toEqual({ kind, when });
  if (prometheus !== undefined) expect(page).toContain(`\`${prometheus}\``);
});

it('docs/metrics.md lists nothing else', () => {
  expect([...listed.keys()].sort()).toEqual(rows.map(([name]) => name).sort());
});

it('the names for Prometheus are unique', () => {
  const names = rows.flatMap(([, { prometheus }]) => prometheus ?? []);
  expect(new Set(names).size).toBe(names.length);
});
