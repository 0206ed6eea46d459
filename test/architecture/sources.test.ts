import { longFunctions } from './function-lengths';
import { packages, read, sourcesOf } from './workspace';

const MOST_LINES = 350;
const MOST_LINES_OF_A_FUNCTION = 60;

// The testkit contains test suites, which read better in one piece.
const sources = packages.filter(({ name }) => name !== 'testkit').flatMap(sourcesOf);

it('no source file is too long to be one concept', () => {
  expect(sources.filter((file) => read(file).split('\n').length > MOST_LINES)).toEqual([]);
});

it('no function is too long', () => {
  const files = sources.filter((file) => /\.tsx?$/.test(file));
  expect(files.flatMap((file) => longFunctions(file, read(file), MOST_LINES_OF_A_FUNCTION))).toEqual([]);
});

it('the length of a function includes the functions inside it', () => {
  const text = 'const short = () => 1;\nexport function long() {\n  return [1].map((x) => {\n    return x;\n  });\n}\n';
  expect(longFunctions('a.ts', text, 3)).toEqual(['a.ts:2 long']);
  expect(longFunctions('a.ts', text, 2)).toEqual(['a.ts:2 long', 'a.ts:3 a function without a name']);
});

it('no source file has a meaningless name', () => {
  expect(
    sources.filter((file) => /\/(utils?|helpers?|common|misc|types|interfaces|constants)(\.ts|\/)/.test(file)),
  ).toEqual([]);
});

/** Passes the environment on to child processes by default, but reads nothing from it. */
const HANDS_ON = 'libs/subprocess/src/process-run.ts';

it('only the entry points of programs read the environment of the process', () => {
  const readers = sources.filter((file) => /\bprocess\.env\b/.test(read(file)));
  expect(readers.filter((file) => !file.startsWith('apps/') && !/-main\.ts$/.test(file) && file !== HANDS_ON)).toEqual(
    [],
  );
});

it('no service takes executions from the store: it reads and changes them through the executions library', () => {
  const taking = /\bstore\.executions\b|\bstore: Store;|\bStore, [^>]*'executions'|\bStore\['executions'\]/;
  const services = packages.filter(({ group }) => group === 'services').flatMap(sourcesOf);
  expect(services.filter((file) => taking.test(read(file)))).toEqual([]);
});
