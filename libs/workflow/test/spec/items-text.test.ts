import { itemsText } from '../../src/spec/shorthand/items-text';

it.each([
  ['<% ctx(xs) %>', [], '<% ctx(xs) %>'],
  ['x in <% ctx(xs) %>', ['x'], '<% ctx(xs) %>'],
  ['  x  in  <% ctx(xs) %> ', ['x'], '<% ctx(xs) %>'],
  ['x, y in <% zip(ctx(xs), ctx(ys)) %>', ['x', 'y'], '<% zip(ctx(xs), ctx(ys)) %>'],
  ['x,y , z in {{ ctx("l") }}', ['x', 'y', 'z'], '{{ ctx("l") }}'],
  ['<% ctx(a).where($ in [1]) %>', [], '<% ctx(a).where($ in [1]) %>'],
  ['x in <% ctx(a).where($ in [1]) %>', ['x'], '<% ctx(a).where($ in [1]) %>'],
])('splits %s', (text, names, items) => {
  expect(itemsText(text)).toEqual({ names, items });
});
