import { packages, read, sourcesOf } from './workspace';

const MOST_LINES = 350;

// The testkit contains test suites, which read better in one piece.
const sources = packages.filter(({ name }) => name !== 'testkit').flatMap(sourcesOf);

it('no source file is too long to be one concept', () => {
  expect(sources.filter((file) => read(file).split('\n').length > MOST_LINES)).toEqual([]);
});

it('no source file has a meaningless name', () => {
  expect(
    sources.filter((file) => /\/(utils?|helpers?|common|misc|types|interfaces|constants)(\.ts|\/)/.test(file)),
  ).toEqual([]);
});

/** Passes the environment on to child processes by default, but reads nothing from it. */
const HANDS_ON = 'libs/subprocess/src/spawn-child.ts';

it('only the entry points of programs read the environment of the process', () => {
  const readers = sources.filter((file) => /\bprocess\.env\b/.test(read(file)));
  expect(readers.filter((file) => !file.startsWith('apps/') && !/-main\.ts$/.test(file) && file !== HANDS_ON)).toEqual(
    [],
  );
});
