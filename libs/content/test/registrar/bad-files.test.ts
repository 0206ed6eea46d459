import type { Fault } from '@switchyard/base';
import { registerContent } from '../../src';
import { memoryStore } from '../support/memory-store';
import { PackDirectories, actionFile, packFile, writeFiles, type Files } from '../support/pack-directory';
import { runnerTypes } from '../support/runner-types';
import { triggersOn } from '../support/triggers-on';

interface BadFile {
  of: string;
  files: Files;
  file: string;
  field?: string;
  line?: number;
  text: RegExp;
}

const inPack = (of: string, more: string, field: string | undefined, line: number, text: RegExp): BadFile => ({
  of,
  files: { 'pack.yaml': packFile('bad', more) },
  file: 'pack.yaml',
  ...(field === undefined ? {} : { field }),
  line,
  text,
});

const inAction = (of: string, content: string, field: string | undefined, line: number, text: RegExp): BadFile => ({
  of,
  files: { 'actions/wrong.yaml': content },
  file: 'actions/wrong.yaml',
  ...(field === undefined ? {} : { field }),
  line,
  text,
});

const inFile = (of: string, file: string, content: string, field: string, line: number, text: RegExp): BadFile => ({
  of,
  files: { [file]: content },
  file,
  field,
  line,
  text,
});

const ruleFile = (more = '', trigger = 'type: core.st2.webhook\n  parameters: {url: a}'): string =>
  `name: wrong\ntrigger:\n  ${trigger}\naction: {ref: core.noop}\n${more}`;

const parameter = (definition: string): string => actionFile('wrong', `parameters:\n  p: ${definition}\n`);

const badFiles: BadFile[] = [
  { of: 'broken YAML', files: { 'pack.yaml': 'name: [x' }, file: 'pack.yaml', line: 1, text: /"," or "]"/ },
  { of: 'an empty pack file', files: { 'pack.yaml': '' }, file: 'pack.yaml', text: /None is not of type 'object'/ },
  { of: 'a list', files: { 'pack.yaml': '- a' }, file: 'pack.yaml', line: 1, text: /\['a'\] is not of type 'object'/ },
  {
    of: 'a pack without an author',
    files: { 'pack.yaml': 'name: bad\ndescription: x\nversion: 1.0.0' },
    file: 'pack.yaml',
    field: 'author',
    text: /'author' is a required property/,
  },
  inPack('a dash in the ref', 'ref: my-bad', 'ref', 5, /dashes are not allowed\. Got "my-bad"/),
  inPack('another ref than the directory', 'ref: other', 'ref', 5, /directory of that name, not in "bad"/),
  inPack('a bad e-mail address', 'email: nobody', 'email', 5, /Invalid email address: "nobody"/),
  inPack(
    'a future version of the product',
    "stackstorm_version: '>=4.0.0'",
    'stackstorm_version',
    5,
    /requires .*3\.9\.0/,
  ),
  inPack('an invalid range', 'stackstorm_version: new', 'stackstorm_version', 5, /not a range/),
  inPack('python versions', 'python_versions: ["4"]', 'python_versions.0', 5, /'4' is not one of \['2', '3'\]/),
  inPack('a python version as a number', 'python_versions: [3]', 'python_versions.0', 5, /3 is not of type 'string'/),
  inPack('keywords as a text', 'keywords: a, b', 'keywords', 5, /'a, b' is not of type 'array'/),
  inPack('system as a list', 'system: []', 'system', 5, /\[\] is not of type 'object'/),
  inPack(
    'a contributor of 101 characters',
    `contributors: [${'x'.repeat(101)}]`,
    'contributors.0',
    5,
    /100 characters/,
  ),
  {
    of: 'a version of two numbers',
    files: { 'pack.yaml': 'name: bad\ndescription: x\nversion: 0.10\nauthor: x' },
    file: 'pack.yaml',
    field: 'version',
    line: 3,
    text: /Pack version "0\.10" doesn't follow a valid semver format/,
  },
  inAction('an action without a name', 'runner_type: noop', 'name', 1, /'name' is a required property/),
  inAction('an action without a runner', 'name: wrong', 'runner_type', 1, /'runner_type' is a required property/),
  inAction('an action with an empty name', 'name: ""\nrunner_type: noop', 'name', 1, /Both pack and name needed/),
  inAction('an unknown key', actionFile('wrong', 'colour: red'), 'colour', 3, /'colour' was unexpected/),
  inAction('an unknown runner', 'name: wrong\nrunner_type: nope', 'runner_type', 2, /RunnerType nope is not found/),
  inAction('a former runner', 'name: wrong\nrunner_type: run-http', 'runner_type', 2, /run-http is http-request\./),
  inAction('another pack', actionFile('wrong', 'pack: other'), 'pack', 3, /field "pack" is different: other/),
  inAction(
    'enabled as a text',
    actionFile('wrong', 'enabled: "maybe"'),
    'enabled',
    3,
    /'maybe' is not of type 'boolean'/,
  ),
  inAction(
    'an entry point outside',
    actionFile('wrong', 'entry_point: ../../x.sh'),
    'entry_point',
    3,
    /outside its pack/,
  ),
  inAction(
    'an absolute entry point',
    actionFile('wrong', 'entry_point: /bin/sh'),
    'entry_point',
    3,
    /outside its pack/,
  ),
  inAction(
    'a tag with a number',
    actionFile('wrong', 'tags:\n  - value: 1'),
    'tags.0.value',
    4,
    /1 is not of type 'string'/,
  ),
  inAction(
    'an unknown notify section',
    actionFile('wrong', 'notify:\n  on-whim: {}'),
    'notify.on-whim',
    4,
    /'on-whim' was unexpected/,
  ),
  inAction(
    'notify routes as a text',
    actionFile('wrong', 'notify:\n  on-success:\n    routes: chat'),
    'notify.on-success.routes',
    5,
    /'chat' is not of type 'array'/,
  ),
  inAction(
    'a dash in a parameter name',
    actionFile('wrong', 'parameters:\n  a-b: {type: string}'),
    'parameters.a-b',
    4,
    /'a-b' does not match/,
  ),
  inAction('an unknown type', parameter('{type: strin}'), 'parameters.p', 4, /'strin' is not valid/),
  inAction('a list of types', parameter('{type: [string, integer]}'), 'parameters.p', 4, /is not valid under any/),
  inAction('an unknown attribute', parameter('{type: string, order: 1}'), 'parameters.p', 4, /'order' was unexpected/),
  inAction('a parameter that is a text', parameter('string'), 'parameters.p', 4, /'string' is not of type 'object'/),
  inAction(
    'immutable without a default',
    parameter('{type: string, immutable: true}'),
    'parameters.p',
    4,
    /Immutable param p requires a default value/,
  ),
  inAction(
    'a position below zero',
    parameter('{type: string, position: -1}'),
    'parameters.p',
    4,
    /-1 is less than the minimum of 0/,
  ),
  inAction(
    'one position twice',
    actionFile('wrong', 'parameters:\n  a: {position: 0}\n  b: {position: 0}'),
    'parameters',
    3,
    /have same position 0/,
  ),
  inAction(
    'a gap between positions',
    actionFile('wrong', 'parameters:\n  a: {position: 0}\n  b: {position: 2}'),
    'parameters',
    3,
    /\[0, 2\] for parameters are not contiguous/,
  ),
  inAction(
    'another type for a runner parameter',
    'name: wrong\nrunner_type: local-shell-cmd\nparameters:\n  cmd: {type: integer}',
    'parameters.cmd',
    4,
    /"type" for the runner parameter "cmd" in action "bad\.wrong" cannot be overridden/,
  ),
  inAction(
    'a parameter that the runner froze',
    'name: wrong\nrunner_type: frozen\nparameters:\n  seal: {immutable: true}',
    'parameters.seal',
    4,
    /declared immutable in runner/,
  ),
  inAction('an invalid pattern', parameter('{type: string, pattern: "("}'), 'parameters.p', 4, /\(/),
  inFile('a trigger without a name', 'triggers/t.yaml', 'description: x', 'name', 1, /pack=bad, name=None/),
  inFile('a trigger of another pack', 'triggers/t.yaml', 'name: t\npack: other', 'pack', 2, /is different: other/),
  inFile(
    'a payload schema that is a text',
    'triggers/t.yaml',
    'name: t\npayload_schema: x',
    'payload_schema',
    2,
    /'x' is not of type/,
  ),
  inFile('an invalid schema', 'triggers/t.yaml', 'name: t\npayload_schema: {type: nope}', '', 1, /Invalid schema/),
  inFile('a rule without a trigger', 'rules/r.yaml', 'name: r\naction: {ref: a.b}', 'trigger', 1, /required property/),
  inFile('a rule of another pack', 'rules/r.yaml', ruleFile('pack: other'), 'pack', 6, /is different: other/),
  inFile('an unknown key in a rule', 'rules/r.yaml', ruleFile('colour: red'), '', 1, /'colour' was unexpected/),
  inFile(
    'a rule with a text for enabled',
    'rules/r.yaml',
    ruleFile('enabled: "on"'),
    'enabled',
    6,
    /'on' is not of type/,
  ),
  inFile(
    'an unknown operator',
    'rules/r.yaml',
    ruleFile('criteria:\n  trigger.a: {type: nope, pattern: 1}'),
    'criteria',
    6,
    /operator nope not in list/,
  ),
  inFile('an unknown rule type', 'rules/r.yaml', ruleFile('type: {ref: nope}'), 'type.ref', 6, /no rule type "nope"/),
  inFile(
    'an invalid correlation',
    'rules/r.yaml',
    ruleFile('correlation: {throttle: {}}'),
    'correlation',
    6,
    /count has to be/,
  ),
  inFile(
    'an unknown trigger type',
    'rules/r.yaml',
    ruleFile('', 'type: nobodys.event'),
    'trigger',
    2,
    /Trigger "nobodys\.event" defined in the rule does not exist/,
  ),
  inFile(
    'a timer that would never stop firing',
    'rules/r.yaml',
    ruleFile('', 'type: core.st2.IntervalTimer\n  parameters: {unit: seconds, delta: -1}'),
    'trigger',
    2,
    /must be 1 or more/,
  ),
  {
    of: 'a file that is not UTF-8',
    files: { 'actions/wrong.yaml': Buffer.from([0x6e, 0x3a, 0xff, 0xfe]) },
    file: 'actions/wrong.yaml',
    text: /encoded data/,
  },
  {
    of: 'a name that two files share',
    files: { 'actions/first.yaml': actionFile('same'), 'actions/second.yml': actionFile('same') },
    file: 'actions/second.yml',
    field: 'name',
    text: /The name "same" is taken by "actions\/first\.yaml"/,
  },
];

describe('registration of a pack with a bad file', () => {
  const directories = new PackDirectories();
  afterEach(() => directories.clear());

  const logged: string[] = [];
  const logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (message: string) => void logged.push(message),
  };

  it.each(badFiles)('names the file and field of $of, and leaves out invalid parts', async (bad) => {
    const root = await directories.root();
    const good: Files = { 'pack.yaml': packFile('bad'), 'actions/right.yaml': actionFile('right') };
    await writeFiles(`${root}/bad`, { ...good, ...bad.files });
    const store = memoryStore();
    const triggers = triggersOn(store);
    await triggers.registerBuiltIn();
    store.writes = 0;
    const { failures } = await registerContent({
      store,
      triggers,
      roots: [root],
      runnerTypes,
      failOnFailure: false,
      logger,
    });
    expect(failures[0]).toMatchObject({
      pack: 'bad',
      file: `${root}/bad/${bad.file}`,
      text: expect.stringMatching(bad.text) as string,
    });
    expect(failures[0]?.field).toBe(bad.field || undefined);
    if (bad.line !== undefined) expect(failures[0]?.line).toBe(bad.line);
    // Without a valid pack.yaml, nothing of the pack is registered.
    const isPackFile = bad.file === 'pack.yaml';
    expect(await store.packs.count()).toBe(isPackFile ? 0 : 1);
    const actions = (await store.actions.list()).map(({ metadata_file: file }) => file);
    expect(actions).toEqual(isPackFile ? [] : expect.arrayContaining(['actions/right.yaml']));
    expect(actions).not.toContain(bad.file);
    expect(logged.at(-1)).toContain(`${root}/bad/${bad.file}`);
  });

  it('lists a hundred problems, each of them shortened, and counts the others', async () => {
    const root = await directories.root();
    const bad = Array.from({ length: 130 }, (_, index) => [`actions/a${index}.yaml`, `name: ${'x'.repeat(5_000)}: y`]);
    await writeFiles(`${root}/bad`, { 'pack.yaml': packFile('bad'), ...(Object.fromEntries(bad) as Files) });
    logged.length = 0;
    const store = memoryStore();
    const register = (failOnFailure: boolean) =>
      registerContent({ store, triggers: triggersOn(store), roots: [root], runnerTypes, failOnFailure, logger });
    expect((await register(false)).failures).toHaveLength(130);
    expect(logged).toHaveLength(101);
    expect(logged.at(-1)).toBe('30 more problems are not listed.');
    const refusal = await register(true).catch((error: unknown) => error as Fault);
    expect((refusal as Fault).extra['failures']).toHaveLength(100);
    expect((refusal as Fault).message.length).toBeLessThan(100 * 1_300);
  });

  it('warns about a duplicate key', async () => {
    const root = await directories.root();
    await writeFiles(`${root}/odd`, {
      'pack.yaml': packFile('odd'),
      'actions/a.yaml': actionFile('a', 'description: first\ndescription: second'),
    });
    const store = memoryStore();
    const register = () =>
      registerContent({ store, triggers: triggersOn(store), roots: [root], runnerTypes, failOnFailure: true, logger });
    const { counts, warnings } = await register();
    expect(counts['actions']).toBe(1);
    expect(warnings).toEqual([expect.objectContaining({ pack: 'odd', text: 'found duplicate key "description".' })]);
    expect((await store.actions.byKey('odd.a'))?.description).toBe('second');
    // An unchanged file is not read again, so it is reported once.
    expect((await register()).warnings).toEqual([]);
  });

  it('reports the problems of all files together', async () => {
    const root = await directories.root();
    await writeFiles(`${root}/bad`, {
      'pack.yaml': packFile('bad', 'email: nobody\nkeywords: 5'),
      'actions/a.yaml': 'name: a\nrunner_type: nope\ncolour: red',
      'actions/b.yaml': parameter('{type: strin}'),
    });
    const store = memoryStore();
    const registering = registerContent({
      store,
      triggers: triggersOn(store),
      roots: [root],
      runnerTypes,
      failOnFailure: true,
      logger,
    });
    await expect(registering).rejects.toMatchObject({ code: 'content.registration', status: 400 });
    const text = await registering.then(
      () => '',
      (error: Error) => error.message,
    );
    expect(text.split('\n')).toEqual([
      expect.stringMatching(
        /^Failed to register pack ".*pack\.yaml" from pack "bad": line 6, field "keywords": 5 is not/,
      ),
      expect.stringMatching(/line 5, field "email": Invalid email/),
      expect.stringMatching(/a\.yaml" from pack "bad": line 3, field "colour": .*unexpected/),
      expect.stringMatching(/a\.yaml" from pack "bad": line 2, field "runner_type": RunnerType nope is not found/),
      expect.stringMatching(/b\.yaml" from pack "bad": line 4, field "parameters\.p": 'strin'/),
    ]);
  });
});
