import { guardedRegExp } from '@switchyard/model';
import { isItemsText, ITEMS_PATTERN } from '../../src/spec/shorthand/items-text';

const texts = [
  '<% ctx().items %>',
  ' {{ ctx().items }} ',
  'x in <% ctx(a) %>',
  'x, y in <% zip(ctx(a), ctx(b)) %>',
  ' x ,y  in  {{ a }}\n',
  'x in <% a %> and more',
  'x <% a %>',
  'in <% a %>',
  'x in<% a %>',
  'x,, y in <% a %>',
  'x in y in <% a %>',
  '<% a }}',
  '<%%>',
  '<%>',
  '<% ctx(a).where($ in [1]) %>',
  'plain',
  '',
  'x in ',
];

describe('the text of with.items', () => {
  it.each(texts)('%j is recognized exactly if it matches the pattern', (text) => {
    expect(isItemsText(text)).toBe(guardedRegExp(ITEMS_PATTERN).test(text));
  });

  it('is checked quickly, however long it is', () => {
    expect(isItemsText(`${'x, '.repeat(100_000)}y in <% a %>`)).toBe(false);
    expect(isItemsText(`<% ${'a '.repeat(100_000)} %>`)).toBe(true);
    expect(isItemsText(`<%${'%'.repeat(100_000)}`)).toBe(false);
  });
});
