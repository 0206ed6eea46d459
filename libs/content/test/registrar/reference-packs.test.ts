import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainObject } from '@switchyard/base';
import { readYaml } from '../../src';

type Facts = Record<string, unknown>;
type Table = Record<string, Facts & { parameters?: Record<string, Facts> }>;

/** What the packs of StackStorm 3.9 contain: names, parameters, types, defaults and what is required. */
const expected = JSON.parse(readFileSync(join(__dirname, 'reference-packs.json'), 'utf8')) as Table;

const RUNS_NOTHING = 'the action of StackStorm runs nothing, because its runner takes no file';
const WATCHES_ALWAYS =
  'missing: timers and sensors serve the triggers of disabled rules too, and the pack is always registered here';

/** Deliberate differences, each with its reason. */
const REASONS: Readonly<Record<string, string>> = {
  'actions/chatops.format_execution_result runner': 'written in JavaScript',
  'actions/chatops.match_and_execute + notification_channel': 'an addition, for the notification about the result',
  'actions/chatops.match_and_execute + notification_route': 'an addition, for the notification about the result',
  'actions/chatops.run + route': 'an addition: the route of the notification about the result',
  'actions/linux.wait_for_ssh password secret': 'a password is a secret',
  'actions/packs.delete abs_repo_base default': 'empty stands for the configured directory',
  'actions/packs.download abs_repo_base default': 'empty stands for the configured directory',
  'actions/packs.restart_component': 'services are restarted by the system that started them',
  'actions/packs.setup_virtualenv env type': 'the type of the runner parameter of that name',
  'actions/packs.setup_virtualenv timeout type': 'the type of the runner parameter of that name',
  'actions/packs.uninstall runner': 'a workflow instead of an action chain',
  'actions/packs.update_virtualenv + timeout': 'an addition: pip may take longer than the default',
  'rules/chatops.notify-whisper': 'an addition: posts the results of commands with whisper',
  ...Object.fromEntries(
    ['cp', 'lsof', 'mv', 'rm', 'rsync', 'scp'].map((name) => [
      `actions/linux.${name} args type`,
      'has the type that any text has',
    ]),
  ),
  'actions/linux.lsof_pids pids type': 'has the type that any text has',
  ...examples(),
};

/** The examples do the same with different code. */
function examples(): Record<string, string> {
  const added = [
    ...['count_up', 'echochain_on_failure', 'orquesta-branching', 'orquesta-cycle', 'orquesta-decision'],
    ...['orquesta-join-count', 'orquesta-rollback', 'orquesta-split', 'orquesta-with-multi-items', 'script_arguments'],
    ...['secret_parameter', 'typed_parameters', 'wait_for_removal'],
  ];
  const printing = ['local_command', 'local_script', 'remote_command', 'remote_script'];
  return {
    ...reasons('', added, 'our addition'),
    'actions/examples.chain-sequential skip_notify default': 'names the nodes of this chain',
    'actions/examples.env_reader + env': 'an addition: variables to show',
    'actions/examples.forloop_chain + pagesize': 'an addition: the chain works with pages of any size',
    'actions/examples.forloop_chain github_organization_url default': 'the datastore names the service',
    'actions/examples.forloop_chain github_organization_url template': 'the datastore names the service',
    ...reasons(' + cmd', ['local-random-exit', 'ping', 'remote-random-exit'], RUNS_NOTHING),
    'actions/examples.ping + env': RUNS_NOTHING,
    'actions/examples.ping + hostname': RUNS_NOTHING,
    'actions/examples.remote-random-exit count': RUNS_NOTHING,
    ...reasons(
      '_runner_print_to_stdout_and_stderr + timeout',
      printing,
      'an addition: printing may take longer than the default',
    ),
    'actions/examples.orquesta-data-flow-large-data + size_kb': 'this workflow generates its own data',
    'actions/examples.orquesta-data-flow-large-data file_path': 'this workflow generates its own data',
    'actions/examples.orquesta-test-jinja-time-functions + seconds': 'an addition: a value to format',
    'actions/examples.orquesta-test-yaql-time-functions + seconds': 'an addition: a value to format',
    'actions/examples.orquesta-test-subworkflow-empty-with-items + members': 'an addition: any other list',
    'actions/examples.render_config_context + value1': 'an addition: the value that is rendered',
    'actions/examples.weather auth secret': 'a password is a secret',
    'actions/examples.weather params': 'the runner ignores query parameters that are a text',
    'actions/examples.weather zip required': 'the request needs it',
    'actions/examples.winrm_powershell_env + env_value': 'an addition: any value',
    'actions/examples.winrm_powershell_env env default {{ env_var_name }}': 'an addition: any value',
    'actions/examples.yaml_string_to_object + document': 'parsed by a filter, because Python has no parser for YAML',
    'rules/examples.sample_rule_file_watch': WATCHES_ALWAYS,
    'rules/examples.sample_rule_with_timer': WATCHES_ALWAYS,
    ...Object.fromEntries(
      ['notify_slack', 'sample_rule_with_actiontrigger'].map((name) => [
        `rules/examples.${name} enabled`,
        'disabled, because the pack is always registered here',
      ]),
    ),
  };
}

function reasons(suffix: string, names: readonly string[], reason: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`actions/examples.${name}${suffix}`, reason]));
}

const packs = join(__dirname, '../../../../packs');
const isTemplate = (value: unknown): boolean => typeof value === 'string' && /\{[{%]/.test(value);

function shipped(): Table {
  const table: Table = {};
  for (const pack of ['chatops', 'core', 'default', 'examples', 'linux', 'packs']) {
    for (const kind of ['actions', 'aliases', 'rules']) {
      for (const file of filesIn(join(packs, pack, kind))) {
        const content = readYaml(readFileSync(join(packs, pack, kind, file), 'utf8')).value as Facts;
        table[`${kind}/${pack}.${String(content['name'])}`] = factsOf(kind, content);
      }
    }
  }
  return table;
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.yaml'));
  } catch {
    return [];
  }
}

function factsOf(kind: string, content: Facts): Table[string] {
  const at = (name: string, field: string) => (content[name] as Facts)[field];
  if (kind === 'aliases') return { action: content['action_ref'] };
  const enabled = content['enabled'] ?? true;
  if (kind === 'rules') return { trigger: at('trigger', 'type'), action: at('action', 'ref'), enabled };
  const parameters = Object.entries((content['parameters'] ?? {}) as Record<string, Facts>);
  return {
    runner: content['runner_type'],
    enabled,
    parameters: Object.fromEntries(parameters.map(([name, definition]) => [name, parameterFacts(definition)])),
  };
}

/** Templates count as code: only their existence is compared. */
function parameterFacts(definition: Facts): Facts {
  const facts = ['type', 'required', 'immutable', 'enum', 'secret'].map((name) => [name, definition[name]]);
  const value = definition['default'] ?? undefined;
  const given = isTemplate(value) ? ['template', true] : ['default', value];
  const kept = [...facts, given].filter(([, fact]) => fact !== undefined && fact !== false);
  return { ...Object.fromEntries(kept), ...(value === false ? { default: false } : {}) } as Facts;
}

function* differences(wanted: Table, found: Table): Generator<string> {
  for (const [name, facts] of Object.entries(wanted)) {
    const own = found[name];
    if (!own) yield name;
    else yield* fieldDifferences(name, facts, own);
  }
  for (const name of Object.keys(found)) if (!wanted[name]) yield name;
}

function* fieldDifferences(name: string, wanted: Facts, found: Facts): Generator<string> {
  for (const field of new Set([...Object.keys(wanted), ...Object.keys(found)])) {
    const [one, other] = [wanted[field], found[field]];
    if (!isPlainObject(one) || !isPlainObject(other)) {
      if (JSON.stringify(one) !== JSON.stringify(other)) {
        yield isPlainObject(other) ? `${name} + ${field}` : `${name} ${field}`;
      }
    } else if (field === 'parameters') yield* fieldDifferences(name, one, other);
    else yield* fieldDifferences(`${name} ${field}`, one, other);
  }
}

it('the shipped packs have the same actions, aliases, rules and parameters as in StackStorm, except for listed differences', () => {
  expect([...differences(expected, shipped())].sort()).toEqual(Object.keys(REASONS).sort());
});
