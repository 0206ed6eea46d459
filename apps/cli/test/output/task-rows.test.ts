import type { Execution } from '@switchyard/client';
import { taskRows, taskStatusText } from '../../src/output/task-table';
import { taskTree } from '../../src/output/task-tree';

const task = (
  id: string,
  status: Execution['status'],
  facts: { parent?: string; item?: number; of?: number } = {},
): Execution => ({
  id,
  status,
  parent: facts.parent ?? 'root',
  action: { ref: 'core.noop' },
  start_timestamp: '2026-01-02T03:04:05Z',
  end_timestamp: '2026-01-02T03:04:07Z',
  context: {
    orquesta: {
      task_name: facts.item === undefined ? id : 'all',
      task_execution_id: 'run',
      ...(facts.item === undefined ? {} : { item_id: facts.item, items_count: facts.of }),
    },
  },
});
const items = (...statuses: Execution['status'][]) =>
  statuses.map((status, item) => task(`${item}`.padStart(3, '0'), status, { item }));

const lines = (all: readonly Execution[], options = {}) => {
  const { rows, left } = taskRows(taskTree('root', all), { everything: false, limit: 100, ...options });
  return [...rows.map(({ node, level }) => `${'  '.repeat(level)}${node.name} ${taskStatusText(node)}`), left];
};

test('places tasks of nested workflows below them', () => {
  expect(
    lines([
      task('a', 'succeeded'),
      task('b', 'failed'),
      task('b1', 'failed', { parent: 'b' }),
      task('b11', 'timeout', { parent: 'b1' }),
      task('c', 'requested'),
    ]),
  ).toEqual([
    'a succeeded (2s elapsed)',
    'b failed (2s elapsed)',
    '  b1 failed (2s elapsed)',
    '    b11 timeout (2s elapsed)',
    'c requested',
    0,
  ]);
});

test.each([
  [['succeeded', 'succeeded'], 'succeeded (2/2)'],
  [['succeeded', 'running'], 'running (1/2)'],
  [['failed', 'requested'], 'requested (1/2, 1 failed)'],
  [['abandoned', 'timeout', 'succeeded'], 'abandoned (3/3, 2 failed)'],
  [['canceled', 'succeeded'], 'canceled (2/2)'],
] as [Execution['status'][], string][])('items that are %j make their task %s', (statuses, text) => {
  expect(lines(items(...statuses))[0]).toBe(`all ${text}`);
});

test('shows only items that did not succeed, or all items on request', () => {
  const statuses = Array.from({ length: 1000 }, (): Execution['status'] => 'succeeded');
  statuses[700] = 'failed';
  const all = items(...statuses);
  expect(lines(all)).toEqual(['all failed (1000/1000, 1 failed)', '  all#700 failed (2s elapsed)', 0]);
  expect(lines(all, { everything: true })).toHaveLength(1002);
});

test('counts only the last attempt of a retried item', () => {
  expect(lines([task('1', 'failed', { item: 0 }), task('2', 'succeeded', { item: 0 })])[0]).toBe('all succeeded (1/1)');
});

test.each([
  ['succeeded', 'running (1/20)'],
  ['failed', 'failed (1/20, 1 failed)'],
] as const)('shows the state of all items of a list that starts step by step: %s', (status, text) => {
  expect(lines([task('1', status, { item: 0, of: 20 })])[0]).toBe(`all ${text}`);
});

test('keeps failed and running tasks, in order, if not all fit', () => {
  const all = Array.from({ length: 50 }, (_, index) => task(`t${index}`, 'succeeded'));
  all[30] = task('t30', 'running');
  all[40] = task('t40', 'failed');
  const shown = lines(all, { limit: 3 });
  expect(shown.map((line) => String(line).split(' ')[0])).toEqual(['t0', 't30', 't40', '47']);
});

test('handles deeply nested workflows', () => {
  const deep = Array.from({ length: 200 }, (_, level) =>
    task(`w${level}`, 'running', { parent: level === 0 ? 'root' : `w${level - 1}` }),
  );
  expect(taskRows(taskTree('root', deep), { everything: true, limit: 1 }).rows.at(-1)?.level).toBe(199);
});
