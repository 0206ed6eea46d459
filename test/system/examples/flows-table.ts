/// <reference types="jest" />

import type { Parameters } from './site';

/** Action without its pack, parameters, status, and the output of a workflow or the published values of a chain. */
export type Example = [string, Parameters, string, unknown];

const PLAIN: Example[] = [
  ['orquesta-basic', { cmd: 'echo hello' }, 'succeeded', { stdout: 'hello' }],
  ['orquesta-basic', { cmd: 'sleep 60', timeout: 1 }, 'failed', null],
  ['orquesta-sequential', { name: 'Ada' }, 'succeeded', { greeting: 'Ada, welcome! Please take a seat.' }],
  ['orquesta-branching', {}, 'succeeded', { done: ['washed', 'peeled'] }],
  ['orquesta-decision', { which: 'a' }, 'succeeded', { way: 'went to a' }],
  ['orquesta-decision', { which: 'b' }, 'succeeded', { way: 'went to b' }],
  ['orquesta-decision', { which: 'c' }, 'succeeded', { way: 'went elsewhere' }],
  ['orquesta-join', {}, 'succeeded', { met: 'from the left, from the right' }],
  ['orquesta-join-count', {}, 'succeeded', { met: 1 }],
  ['orquesta-split', {}, 'succeeded', { seen: [true, true] }],
  ['orquesta-cycle', { limit: 4 }, 'succeeded', { count: 4 }],
  ['orquesta-delay', { delay: 1 }, 'succeeded', { said: 'Hello, Lakshmi!' }],
  ['orquesta-data-flow', { a1: 'žluť' }, 'succeeded', { default: 'nothing', value: 'žluť', size: 4 }],
  ['orquesta-subworkflow', {}, 'succeeded', { greeting: 'Ada, welcome! Please take a seat.' }],
  ['orquesta-with-items', {}, 'succeeded', { greetings: ['Hello, Lakshmi!', 'Hello, Lindsay!', 'Hello, Tomaz!'] }],
  [
    'orquesta-with-items-concurrency',
    { members: ['a', 'b', 'c'], concurrency: 2 },
    'succeeded',
    { greetings: ['Hello, a!', 'Hello, b!', 'Hello, c!'] },
  ],
  ['orquesta-with-items-concurrency', { members: ['d'] }, 'succeeded', { greetings: ['Hello, d!'] }],
  ['orquesta-with-multi-items', {}, 'succeeded', { pairs: ['Ada writes notes', 'Grace writes COBOL'] }],
  ['orquesta-test-with-items-failure', {}, 'failed', { seen: [1, 2, 3] }],
  ['orquesta-test-subworkflow-empty-with-items', {}, 'succeeded', { greetings: [] }],
  ['orquesta-task-retry', {}, 'succeeded', { attempts: 2 }],
  ['orquesta-rollback-retry', {}, 'succeeded', { repairs: 1 }],
  ['orquesta-rollback', {}, 'failed', { undone: ['configure', 'reserve'] }],
  ['orquesta-error-handling-continue', { cmd: 'exit 1' }, 'succeeded', { used: 'fallback' }],
  ['orquesta-error-handling-continue', { cmd: 'echo fresh' }, 'succeeded', { used: 'fresh' }],
  ['orquesta-error-handling-noop', { cmd: 'exit 1' }, 'succeeded', { noticed: true }],
  ['orquesta-error-handling-fail-manually', { cmd: 'echo broken >&2; exit 1' }, 'failed', { told: 'broken' }],
  ['orquesta-fail-manually', {}, 'failed', { reason: 'the attempt failed' }],
  ['orquesta-remediate-then-fail', {}, 'failed', { state: 'remedied' }],
  ['orquesta-output-on-error', {}, 'failed', { first: 'done' }],
  [
    'orquesta-st2-ctx',
    {},
    'succeeded',
    { action: 'examples.orquesta-st2-ctx', pack: 'examples', runner: 'orquesta', user: 'testu' },
  ],
  [
    'orquesta-st2kv-default',
    { key_name: 'system.examples_missing', default: 'nothing stored' },
    'succeeded',
    { value_from_yaql: 'nothing stored', value_from_jinja: 'nothing stored' },
  ],
  [
    'orquesta-st2kv-default',
    { key_name: 'system.examples_secret', decrypt: true },
    'succeeded',
    { value_from_yaql: 'open sesame', value_from_jinja: 'open sesame' },
  ],
  [
    'orquesta-st2kv',
    { key_name: 'system.examples_word' },
    'succeeded',
    { value_from_yaql: 'kept', value_from_jinja: 'kept' },
  ],
  [
    'orquesta-st2kv',
    { key_name: 'system.examples_secret', decrypt: true },
    'succeeded',
    { value_from_yaql: 'open sesame', value_from_jinja: 'open sesame' },
  ],
  ['render_config_context', {}, 'succeeded', { context_value: 'south' }],
  ['render_config_context', { value1: 'east' }, 'succeeded', { context_value: 'east' }],
  ['orquesta-examples', {}, 'succeeded', { ended: 12 }],
  ['orquesta-test-action-less-tasks', {}, 'succeeded', { greeting: 'Hello, Lakshmi!' }],
  ['orquesta-test-field-escaping', {}, 'succeeded', { prices: { $usd: 1, 'eur.o': 2 } }],
  ['orquesta-test-yaql-data-functions', {}, 'succeeded', { json: '{"a": [1,2]}', second: [2], yaml: { b: 3 } }],
  ['orquesta-test-jinja-data-functions', {}, 'succeeded', { parsed: [1, 2], second: [2], yaml: { b: 3 } }],
];

/** These are the same in both languages. */
const IN_BOTH_LANGUAGES: Example[] = [
  ['path-functions', {}, 'succeeded', { file: 'report.txt', folder: '/srv/data' }],
  ['regex-functions', {}, 'succeeded', { matches: true, found: true, number: '101', replaced: 'hall 101' }],
  ['version-functions', {}, 'succeeded', { order: -1, fits: true, following: '1.7.0' }],
  ['time-functions', {}, 'succeeded', { span: '3h25m45s' }],
  ['task-functions', {}, 'succeeded', { state: 'succeeded', name: 'first', said: 'from the first' }],
];

/** These also run Python actions. */
export const WORKFLOWS_WITH_PYTHON: Example[] = [
  [
    'orquesta-data-flow-large-data',
    { size_kb: 300 },
    'succeeded',
    { value: 'x'.repeat(300 * 1024), size: 300 * 1024, same: true },
  ],
  ['orquesta-streaming-demo', { count: 2, sleep_delay: 0 }, 'succeeded', null],
  [
    'orquesta-mock-create-vm',
    { vm_name: 'web1', meta: { owner: 'Ada' } },
    'succeeded',
    { vm_id: expect.stringMatching(/^vm-[0-9a-f]{8}$/), state: 'web1 is up', meta: { owner: 'Ada' } },
  ],
];

const ASKING: Example[] = [
  ['orquesta-ask-basic', {}, 'succeeded', { approved: true }],
  ['orquesta-ask-consecutive', {}, 'succeeded', { answers: [true, true] }],
  ['orquesta-ask-parallel', {}, 'succeeded', { answers: [true, true] }],
  ['orquesta_ask_multiple_parameters', {}, 'succeeded', { said: '2 machines: because' }],
  ['orquesta-ask-nested', {}, 'succeeded', { approved: true }],
];

export const CHAINS: Example[] = [
  ['echochain', {}, 'succeeded', { echoed: 'one two three' }],
  ['echochain-param', { input1: 'hey' }, 'succeeded', { said: 'you said hey', twice: 'again, you said hey' }],
  ['echochain_task_failure', {}, 'failed', {}],
  ['echochain_on_failure', {}, 'succeeded', { outcome: 'handled' }],
  ['chain-sequential', {}, 'succeeded', { greeting: 'Lakshmi, welcome!' }],
  ['decrypt_kv_jinja_filter', {}, 'succeeded', { letters: '11' }],
  ['data_jinja_filter', {}, 'succeeded', { shown: '[1,2]' }],
  ['json_escape_jinja_filter', {}, 'succeeded', { shown: 'say \\"hi\\"' }],
  ['regex_jinja_filter', {}, 'succeeded', { shown: 'hall 101 101' }],
  ['time_jinja_filter', {}, 'succeeded', { shown: '3h25m45s' }],
  ['version_jinja_filter', {}, 'succeeded', { shown: '1.7.0 -1' }],
  ['chain-test-inquiry', {}, 'succeeded', { outcome: 'answered' }],
  ['chain-test-inquiry-parent', {}, 'succeeded', { outcome: 'the inner chain has ended' }],
];

export const CHAINS_WITH_PYTHON: Example[] = [
  ['forloop_chain', { pagesize: 2 }, 'succeeded', { index: '3', found: '5', summary: '5 repositories' }],
  ['action_chain_streaming_demo', { count: 2, sleep_delay: 0 }, 'succeeded', {}],
];

/** Action without its pack, error messages, and output. */
export const FAILING: [string, string[], unknown][] = [
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
export const WORKFLOWS = [...PLAIN, ...inLanguage('yaql'), ...inLanguage('jinja'), ...ASKING];
