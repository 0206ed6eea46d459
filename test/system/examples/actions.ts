/// <reference types="jest" />

import { spawnSync } from 'node:child_process';
import { itWithPython } from './python';
import { MINUTES, type Parameters, type Site } from './site';

const lines = (stream: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${stream} line ${index + 1}`).join('\n');
const LINES = { stdout: lines('stdout', 2), stderr: lines('stderr', 2), return_code: 0 };
const TWO = { count: 2, sleep_delay: 0 };

/** Action, parameters, and a part of its result. */
const LOCAL: [string, Parameters, object][] = [
  ['typed_parameters', { guest: 'Ada', times: 2, language: 'cs', loud: true }, { stdout: 'Ahoj, Ada!\nAhoj, Ada!' }],
  ['count_up', { steps: 2, pause: 0 }, { stdout: 'step 1 of 2 (50%)\nstep 2 of 2 (100%)\ndone' }],
  ['secret_parameter', { password: 'open sesame' }, { stdout: 'The password has 11 characters.' }],
  ['env_reader', {}, { stdout: expect.stringContaining('EXAMPLE_COLOUR=green') }],
  ['script_arguments', { source: '/srv' }, { stdout: '1: --level=3\n2: --dry_run\n3: /srv\n4: /tmp\n5: one,two' }],
  ['local-notify', { cmd: 'echo told' }, { stdout: 'told' }],
  ['local_command_runner_print_to_stdout_and_stderr', TWO, LINES],
  ['local_script_runner_print_to_stdout_and_stderr', TWO, LINES],
  ['wait_for_removal', { tempfile: '/nowhere' }, { return_code: 0 }],
  ['weather', { zip: '10115', auth: 'ada:engine' }, { status_code: 200, body: { zip: '10115', sky: 'blue' } }],
];

const VM = { vm_name: 'web1', ip: '192.0.2.11' };
const done = (stdout: string | null) => ({ stdout, stderr: '', return_code: 0, succeeded: true, failed: false });

/** Action, parameters, return value and output. */
const IN_PYTHON: [string, Parameters, unknown, unknown?][] = [
  ['isprime', { value: 97 }, true],
  ['isprime', { value: 91 }, false],
  ['isprime', { value: 1 }, false],
  ['print_config', {}, { region: 'south', api_key: '(set)', api_secret: '(set)' }],
  ['object_return', {}, { name: 'Ada', languages: ['notes'], born: { year: 1815, place: 'London' } }],
  ['json_string_to_object', { json_str: '{"a": [1, {"b": null}]}' }, { a: [1, { b: null }] }],
  ['json_string_to_object', {}, null],
  ['yaml_string_to_object', {}, null],
  ['yaml_string_to_object', { yaml_str: 'a:\n  - 1\n  - b: "c: d"\n' }, { a: [1, { b: 'c: d' }] }],
  ['yaml_string_to_object', { yaml_str: '- x\n- 2.5' }, ['x', 2.5]],
  [
    'python-mock-core-remote',
    { cmd: 'uptime', hosts: 'web1, web2', hosts_dict: { web2: 'up', web3: null } },
    { web1: done('uptime'), web2: done('up'), web3: done(null) },
  ],
  ['python-mock-create-vm', VM, { ...VM, vm_id: expect.stringMatching(/^vm-/), cpu_cores: 1, memory_mb: 1024 }],
  [
    'forloop_parse_github_repos',
    { content: '[{"full_name": "ada/notes", "html_url": "http://127.0.0.1/ada/notes"}]' },
    { 'ada/notes': 'http://127.0.0.1/ada/notes' },
  ],
  ['forloop_push_github_repos', { data_to_push: { 'ada/notes': 'a', 'ada/engine': 'b' } }, 2],
  ['forloop_increase_index_and_check_condition', { index: '7', pagesize: '1', input: { 'ada/notes': 'a' } }, 8],
  [
    'python_runner_load_and_print_fixture',
    { file_path: 'machines.json' },
    [
      { name: 'web1', ip: '192.0.2.11' },
      { name: 'web2', ip: '192.0.2.12' },
    ],
    expect.stringContaining('"web2"'),
  ],
  [
    'python_runner_print_python_environment',
    {},
    expect.objectContaining({ executable: expect.stringContaining('python') }),
    expect.stringContaining('executable: '),
  ],
  ['python_runner_print_python_version', {}, expect.stringMatching(/^3\.\d+/), expect.stringMatching(/^Python 3\.\d+/)],
  ['python_runner_print_to_stdout_and_stderr', TWO, null, `${LINES.stdout}\n`],
];

/** The names of the actions that run here. */
export const ACTIONS = [
  ...[...LOCAL, ...IN_PYTHON].map(([name]) => name),
  ...['local-random-exit', 'ping', 'ubuntu_pkg_info', 'forloop_get_github_page'],
];

/** Tests of single actions that run on this machine. @param addressOf the address of the pages that the tests serve */
export function actions(siteOf: () => Site, addressOf: () => string): void {
  it.each(LOCAL)(
    'action %s with %j',
    async (name, parameters, result) => {
      const ended = await siteOf().run(name, parameters);
      expect(ended).toMatchObject({ status: 'succeeded', result });
    },
    MINUTES,
  );

  itWithPython.each(IN_PYTHON)(
    'action %s with %j returns what it should',
    async (name, parameters, returned, printed = expect.anything()) => {
      const { status, result } = await siteOf().run(name, parameters);
      expect([status, result.result, result.stdout]).toEqual(['succeeded', returned, printed]);
    },
    MINUTES,
  );

  itWithPython.each([
    ['forloop_increase_index_and_check_condition', { index: '7', pagesize: '2', input: { 'ada/notes': 'a' } }, ''],
    ['json_string_to_object', { json_str: '{' }, 'JSONDecodeError'],
    ['python_runner_load_and_print_fixture', { file_path: '../pack.yaml' }, 'is not below'],
    ['python-mock-create-vm', { vm_name: 'web1', ip: 'nowhere' }, "'nowhere' does not appear to be an IPv4"],
  ])(
    'action %s with %j fails',
    async (name, parameters, text) => {
      const { status, result } = await siteOf().run(name, parameters);
      expect([status, result.stderr]).toEqual(['failed', expect.stringContaining(text)]);
    },
    MINUTES,
  );

  itWithPython(
    'action forloop_get_github_page fetches a page',
    async () => {
      const url = `${addressOf()}/repositories?per_page=2`;
      const { result } = await siteOf().run('forloop_get_github_page', { url, page: '3' });
      expect(JSON.parse(result.result)).toMatchObject([{ full_name: 'ada/r5' }]);
    },
    MINUTES,
  );

  itWithPython(
    'print_config shows no secrets',
    async () => {
      expect(JSON.stringify(await siteOf().run('print_config'))).not.toContain('token that nobody may see');
    },
    MINUTES,
  );

  it(
    'action local-random-exit reports its exit code',
    async () => {
      const { status, result } = await siteOf().run('local-random-exit');
      expect([0, 1, 2, 3]).toContain(result.return_code);
      expect([result.stdout, status]).toEqual([result.return_code, result.return_code === 0 ? 'succeeded' : 'failed']);
    },
    MINUTES,
  );

  it.each([
    ['ping', ['ping', '-c', '1', '127.0.0.1'], { hostname: '127.0.0.1', count: 1 }, '127.0.0.1'],
    ['ubuntu_pkg_info', ['dpkg-query', '--show', 'dpkg'], { pkgname: 'dpkg' }, 'dpkg '],
  ])(
    'action %s ends like its program on this machine',
    async (name, [program = '', ...arguments_], parameters, text) => {
      const { status, result } = await siteOf().run(name, parameters);
      if (spawnSync(program, arguments_).status === 0)
        expect([status, result.stdout]).toEqual(['succeeded', expect.stringContaining(text)]);
      else expect([status, result.stderr]).toEqual(['failed', expect.stringMatching(/\S/)]);
    },
    MINUTES,
  );
}
