import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deferred, type Deferred } from '@switchyard/base';
import { createClient, type Client, type Execution } from '@switchyard/client';
import { ROOT, startSystem, type SystemProcess } from './system-process';

const MINUTES = 60_000;

interface Ended extends Execution {
  // Whatever runners and actions make of it: tests look into it freely.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  result: any;
}

type Parameters = Record<string, unknown>;
/** Action without its pack, parameters, status, and output of a workflow or what a chain has published. */
type Example = [string, Parameters, string, unknown];

const WORKFLOWS: Example[] = [
  ['orquesta-basic', { cmd: 'echo hello' }, 'succeeded', { stdout: 'hello' }],
  ['orquesta-sequential', { name: 'Ada' }, 'succeeded', { greeting: 'Ada, welcome! Please take a seat.' }],
  ['orquesta-branching', {}, 'succeeded', { done: ['washed', 'peeled'] }],
  ['orquesta-decision', { which: 'a' }, 'succeeded', { way: 'went to a' }],
  ['orquesta-decision', { which: 'b' }, 'succeeded', { way: 'went to b' }],
  ['orquesta-decision', { which: 'c' }, 'succeeded', { way: 'went elsewhere' }],
  ['orquesta-join', {}, 'succeeded', { met: 'from the left, from the right' }],
  ['orquesta-join-count', {}, 'succeeded', { met: 1 }],
  ['orquesta-split', {}, 'succeeded', { seen: [true, true] }],
  ['orquesta-cycle', { limit: 4 }, 'succeeded', { count: 4 }],
  ['orquesta-delay', { message: 'at last' }, 'succeeded', { said: 'at last' }],
  ['orquesta-data-flow', { value: 'žluť' }, 'succeeded', { default: 'nothing', value: 'žluť', size: 4 }],
  ['orquesta-subworkflow', {}, 'succeeded', { greeting: 'Ada, welcome! Please take a seat.' }],
  ['orquesta-with-items', {}, 'succeeded', { greetings: ['Hello, Ada!', 'Hello, Grace!', 'Hello, Edsger!'] }],
  [
    'orquesta-with-items-concurrency',
    { members: ['a', 'b', 'c'], concurrency: 2 },
    'succeeded',
    { greetings: ['Hello, a!', 'Hello, b!', 'Hello, c!'] },
  ],
  ['orquesta-with-multi-items', {}, 'succeeded', { pairs: ['Ada writes notes', 'Grace writes COBOL'] }],
  ['orquesta-test-with-items-failure', {}, 'failed', { seen: [1, 2, 3] }],
  ['orquesta-test-subworkflow-empty-with-items', {}, 'succeeded', { greetings: [] }],
  ['orquesta-task-retry', {}, 'succeeded', { attempts: 2 }],
  ['orquesta-rollback-retry', {}, 'succeeded', { repairs: 1 }],
  ['orquesta-rollback', {}, 'failed', { undone: ['configure', 'reserve'] }],
  ['orquesta-error-handling-continue', {}, 'succeeded', { used: 'fallback' }],
  ['orquesta-error-handling-noop', {}, 'succeeded', { noticed: true }],
  ['orquesta-error-handling-fail-manually', {}, 'failed', { told: 'broken' }],
  ['orquesta-fail-manually', {}, 'failed', { reason: 'the attempt failed' }],
  ['orquesta-remediate-then-fail', {}, 'failed', { state: 'remedied' }],
  ['orquesta-output-on-error', {}, 'failed', { first: 'done' }],
  [
    'orquesta-st2-ctx',
    {},
    'succeeded',
    { action: 'examples.orquesta-st2-ctx', pack: 'examples', runner: 'orquesta', user: 'testu' },
  ],
  ['orquesta-st2kv-default', {}, 'succeeded', { value: 'nothing stored' }],
  ['orquesta-test-action-less-tasks', {}, 'succeeded', { greeting: 'Hello, Ada!' }],
  ['orquesta-test-field-escaping', {}, 'succeeded', { prices: { $usd: 1, 'eur.o': 2 } }],
  ['orquesta-test-yaql-data-functions', {}, 'succeeded', { json: '{"a": [1,2]}', second: [2], yaml: { b: 3 } }],
  ['orquesta-test-jinja-data-functions', {}, 'succeeded', { parsed: [1, 2], second: [2], yaml: { b: 3 } }],
];

/** The same in both languages. */
const IN_BOTH_LANGUAGES: Example[] = [
  ['path-functions', {}, 'succeeded', { file: 'report.txt', folder: '/srv/data' }],
  ['regex-functions', {}, 'succeeded', { matches: true, found: true, number: '101', replaced: 'hall 101' }],
  ['version-functions', {}, 'succeeded', { order: -1, fits: true, following: '1.7.0' }],
  ['time-functions', {}, 'succeeded', { span: '3h25m45s' }],
  ['task-functions', {}, 'succeeded', { state: 'succeeded', name: 'first', said: 'from the first' }],
];

const ASKING: Example[] = [
  ['orquesta-ask-basic', {}, 'succeeded', { approved: true }],
  ['orquesta-ask-consecutive', {}, 'succeeded', { answers: [true, true] }],
  ['orquesta-ask-parallel', {}, 'succeeded', { answers: [true, true] }],
  ['orquesta-ask-nested', {}, 'succeeded', { approved: true }],
];

const CHAINS: Example[] = [
  ['echochain', {}, 'succeeded', { echoed: 'one two three' }],
  ['echochain-param', { input1: 'hey' }, 'succeeded', { said: 'you said hey', twice: 'again, you said hey' }],
  ['echochain_task_failure', {}, 'failed', {}],
  ['echochain_on_failure', {}, 'succeeded', { outcome: 'handled' }],
  ['chain-sequential', {}, 'succeeded', { greeting: 'Lakshmi, welcome!' }],
  ['data_jinja_filter', {}, 'succeeded', { shown: '[1,2]' }],
  ['json_escape_jinja_filter', {}, 'succeeded', { shown: 'say \\"hi\\"' }],
  ['regex_jinja_filter', {}, 'succeeded', { shown: 'hall 101 101' }],
  ['time_jinja_filter', {}, 'succeeded', { shown: '3h25m45s' }],
  ['version_jinja_filter', {}, 'succeeded', { shown: '1.7.0 -1' }],
  ['chain-test-inquiry', {}, 'succeeded', { outcome: 'answered' }],
  ['chain-test-inquiry-parent', {}, 'succeeded', { outcome: 'the inner chain has ended' }],
];

/** Action without its pack, what its errors say, and its output. */
const FAILING: [string, string[], unknown][] = [
  ['orquesta-task-retry-exhausted', ['Execution failed.'], null],
  ['orquesta-fail-input-rendering', ["1 + 'one'"], null],
  ['orquesta-fail-vars-rendering', ["1 + 'one'"], null],
  ['orquesta-fail-output-rendering', ["1 + 'one'"], { fine: 1 }],
  ['orquesta-fail-start-task', ["1 + 'one'"], null],
  ['orquesta-fail-task-publish', ["1 + 'one'"], null],
  ['orquesta-fail-task-transition', ["1 + 'one'"], null],
  [
    'orquesta-fail-inspection',
    [
      'Variable "unknown" is referenced before assignment.',
      'Variable "nothing" is referenced before assignment.',
      'Parse error',
      'The task "nowhere" is not defined.',
    ],
    null,
  ],
  [
    'orquesta-fail-inspection-task-contents',
    [
      'The action "examples.there-is-none" is not registered in the database.',
      'Action "core.echo" is missing required input "message".',
      'Action "core.echo" has unexpected input "volume".',
    ],
    null,
  ],
  ['orquesta-test-yaql-task-nonexistent', ['Unable to find task execution for "nobody".'], null],
  ['orquesta-test-jinja-task-nonexistent', ['Unable to find task execution for "nobody".'], null],
];

const inLanguage = (language: string): Example[] =>
  IN_BOTH_LANGUAGES.map(([name, ...rest]) => [`orquesta-test-${language}-${name}`, ...rest]);
const ALL_WORKFLOWS = [...WORKFLOWS, ...inLanguage('yaql'), ...inLanguage('jinja'), ...ASKING];

describe('the examples', () => {
  let system: SystemProcess;
  let client: Client;
  let run: (name: string, parameters: Parameters) => Promise<Ended>;
  const following = new AbortController();
  let followed: Promise<void>;

  beforeAll(async () => {
    system = await startSystem();
    client = await clientOf(system);
    ({ run, followed } = await answering(client, following.signal));
  }, 2 * MINUTES);

  afterAll(async () => {
    following.abort();
    await followed;
    await system?.stop();
  });

  it.each(ALL_WORKFLOWS)(
    'workflow %s with %j is %s',
    async (name, parameters, status, output) => {
      const ended = await run(name, parameters);
      expect([ended.status, ended.result.output]).toEqual([status, output]);
    },
    MINUTES,
  );

  it.each(FAILING)(
    'workflow %s fails',
    async (name, messages, output) => {
      const { status, result } = await run(name, {});
      expect([status, result.output]).toEqual(['failed', output]);
      const said = result.errors.map(({ message }: { message: string }) => message);
      expect(said).toHaveLength(messages.length);
      expect(said).toEqual(expect.arrayContaining(messages.map((message) => expect.stringContaining(message))));
    },
    MINUTES,
  );

  it.each(CHAINS)(
    'chain %s with %j is %s',
    async (name, parameters, status, published) => {
      const ended = await run(name, parameters);
      expect([ended.status, ended.result.published]).toEqual([status, published]);
    },
    MINUTES,
  );

  it(
    'a chain that cannot compute its variables runs nothing',
    async () => {
      const { status, result } = await run('echochain_top_level_failure', {});
      expect([status, result.tasks]).toEqual(['failed', []]);
      expect(result.error).toContain("'nowhere' is undefined");
    },
    MINUTES,
  );

  it('are all run here', () => {
    const names = ['workflows', 'chains'].flatMap((folder) =>
      readdirSync(join(ROOT, 'packs/examples/actions', folder)),
    );
    const tried = [...ALL_WORKFLOWS, ...CHAINS, ...FAILING].map(([name]) => `${name}.yaml`);
    expect(new Set([...tried, 'echochain_top_level_failure.yaml'])).toEqual(new Set(names));
  });
});

async function clientOf({ api, auth, stream }: SystemProcess): Promise<Client> {
  const options = { apiUrl: `${api}/v1`, authUrl: auth, streamUrl: `${stream}/v1` };
  const { token } = await createClient(options).tokens.create({ user: 'testu', password: 'testp' });
  return createClient({ ...options, token });
}

/** Approves whatever is asked, and tells of executions when they have ended; a pause for a question is not the end. */
async function answering(client: Client, signal: AbortSignal) {
  const ends = new Map<string, Deferred<Ended>>();
  const answered = new Set<string>();
  const endOf = (id: string) => {
    const end = ends.get(id) ?? deferred<Ended>();
    ends.set(id, end);
    return end;
  };
  const connected = deferred<void>();
  const events = client.events({ events: ['st2.execution__update'], onConnected: connected.resolve, signal });
  const follow = async () => {
    for await (const { data } of events) {
      const execution = data as Ended;
      // Updates may tell of the same question again.
      if (execution.status === 'pending' && !answered.has(execution.id)) {
        answered.add(execution.id);
        await client.inquiries.respond(execution.id, { approved: true });
      }
      if (execution.end_timestamp !== undefined) endOf(execution.id).resolve(execution);
    }
  };
  const followed = follow().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  await connected.promise;
  const run = async (name: string, parameters: Parameters): Promise<Ended> => {
    const { id } = await client.executions.create({ action: `examples.${name}`, parameters });
    return endOf(id).promise;
  };
  return { run, followed };
}
