import { linePrefix } from '../../src/output/tail-output';

test.each([
  [['one\n'], '[a] one\n'],
  [['o', 'ne', '\ntwo\n'], '[a] one\n[a] two\n'],
  [['one\n\ntwo'], '[a] one\n[a] \n[a] two\n'],
  [['one'], '[a] one\n'],
  [[''], ''],
])('pieces %j are written as %j', (pieces, expected) => {
  let written = '';
  const lines = linePrefix((text) => (written += text), '[a] ');
  for (const piece of pieces) lines.write(piece);
  lines.flush();
  expect(written).toBe(expected);
});
