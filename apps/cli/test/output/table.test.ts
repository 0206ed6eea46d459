import stringWidth from 'string-width';
import { columnWidths, tableText } from '../../src/output/table';
import { wrapText } from '../../src/output/wrap-text';

test.each([
  ['short', 10, ['short']],
  ['two words here', 9, ['two words', 'here']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['core.local_sudo', 10, ['core.', 'local_sudo']],
  ['日本語テキスト', 6, ['日本語', 'テキス', 'ト']],
  ['👩‍👩‍👧‍👧👍', 2, ['👩‍👩‍👧‍👧', '👍']],
  ['    indented text', 12, ['    indented', 'text']],
  ['a\nb', 5, ['a', 'b']],
  ['', 5, ['']],
])('%j in %d columns is %j', (text, width, lines) => {
  expect(wrapText(text, width)).toEqual(lines);
});

const column = (natural: number, comfortable = natural, fixed = false) => ({ natural, comfortable, fixed });

test.each([
  ['all that fits', [column(5), column(10)], 80, [5, 10]],
  ['the widest first', [column(5), column(100, 10)], 40, [5, 28]],
  ['equally among the wide', [column(60, 5), column(60, 5)], 47, [20, 20]],
  ['no fixed columns', [column(24, 24, true), column(30, 10)], 45, [24, 14]],
  ['words only if necessary', [column(24, 24, true), column(20, 12)], 41, [24, 10]],
  ['no column below its minimum', [column(24, 24, true), column(20, 12)], 20, [24, 7]],
  ['nothing without a terminal', [column(500), column(500)], Infinity, [500, 500]],
])('narrows %s', (_name, preferred, total, widths) => {
  expect(columnWidths(preferred, total)).toEqual(widths);
});

const ID = '65f0c0ffee00000000000001';
const columns = [{ title: 'id', fixed: true }, { title: 'text' }];

test('draws a frame, wraps cells and keeps ids whole', () => {
  expect(tableText(columns, [[ID, 'some words in a cell']], 45)).toBe(`+--------------------------+----------------+
| id                       | text           |
+--------------------------+----------------+
| ${ID} | some words in  |
|                          | a cell         |
+--------------------------+----------------+
`);
});

test.each([40, 60, 80, 200])('fits every line of a table into %d columns, even with wide characters', (width) => {
  const text = tableText(
    columns,
    [
      [ID, '漢字'.repeat(40)],
      [ID, 'x'.repeat(300)],
    ],
    width,
  );
  const widths = new Set(
    text
      .trimEnd()
      .split('\n')
      .map((line) => stringWidth(line)),
  );
  expect([...widths]).toHaveLength(1);
  expect([...widths][0]).toBeLessThanOrEqual(width);
});
