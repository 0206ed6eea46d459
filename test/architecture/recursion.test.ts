import { recursiveFunctions } from './recursive-functions';
import { REVIEWED } from './reviewed-recursion';
import { packages, read, sourcesOf } from './workspace';

const sources = packages.filter(({ name }) => name !== 'testkit').flatMap(sourcesOf);

it('the search finds functions that call themselves directly or through each other', () => {
  const text = `
    function depth(value) { return Object.values(value).map(depth); }
    const even = (n) => n === 0 || odd(n - 1);
    const odd = (n) => n !== 0 && even(n - 1);
    class Tree { walk() { this.kids.forEach((kid) => this.walk(kid)); } plain() { return this.size; } }
    const plain = (record) => ({ plain: record.plain });
    function last(list) { return list.last(); }
  `;
  expect(recursiveFunctions('x.ts', text)).toEqual(['depth', 'even', 'odd', 'this.walk']);
});

it('every recursive function has a reviewed bound', () => {
  const found = sources.flatMap((file) => recursiveFunctions(file, read(file)).map((name) => `${file} ${name}`));
  const reviewed = Object.values(REVIEWED).flatMap((files) =>
    Object.entries(files).flatMap(([file, names]) => names.map((name) => `${file} ${name}`)),
  );
  expect(found.sort()).toEqual(reviewed.sort());
});
