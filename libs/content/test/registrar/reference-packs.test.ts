import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainObject } from '@switchyard/base';
import { readYaml } from '../../src';

type Facts = Record<string, unknown>;
type Table = Record<string, Facts & { parameters?: Record<string, Facts> }>;

/** What the packs of StackStorm 3.9 contain: names, parameters, types, defaults and what is required. */
const expected = JSON.parse(readFileSync(join(__dirname, 'reference-packs.json'), 'utf8')) as Table;

/** Differences, each with its reason. */
const REASONS: Readonly<Record<string, string>> = {
  'actions/chatops.format_execution_result runner': 'written in JavaScript',
  'actions/chatops.match_and_execute + notification_channel': 'our addition, for the notification about the result',
  'actions/chatops.match_and_execute + notification_route': 'our addition, for the notification about the result',
  'actions/chatops.run + route': 'our addition: the route of the notification about the result',
  'actions/linux.wait_for_ssh password secret': 'a password is a secret',
  'actions/packs.delete abs_repo_base default': 'empty stands for the configured directory',
  'actions/packs.download abs_repo_base default': 'empty stands for the configured directory',
  'actions/packs.restart_component': 'there is no st2ctl; services are restarted by the system that started them',
  'actions/packs.setup_virtualenv env type': 'the type of the runner parameter of that name',
  'actions/packs.setup_virtualenv timeout type': 'the type of the runner parameter of that name',
  'actions/packs.uninstall runner': 'a workflow instead of an action chain',
  'actions/packs.update_virtualenv + timeout': 'our addition: pip may take longer than the default',
  'rules/chatops.notify-whisper': 'our addition: posts the results of commands with whisper',
  ...Object.fromEntries(
    ['cp', 'lsof', 'mv', 'rm', 'rsync', 'scp'].map((name) => [
      `actions/linux.${name} args type`,
      'has the type that any text has',
    ]),
  ),
  'actions/linux.lsof_pids pids type': 'has the type that any text has',
};

const packs = join(__dirname, '../../../../packs');
const isTemplate = (value: unknown): boolean => typeof value === 'string' && /\{[{%]/.test(value);

function shipped(): Table {
  const table: Table = {};
  for (const pack of ['chatops', 'core', 'default', 'linux', 'packs']) {
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

/** Templates are code, of which only the existence is compared. */
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

it('the shipped packs have the actions, aliases, rules and parameters of StackStorm’s, except for listed differences', () => {
  expect([...differences(expected, shipped())].sort()).toEqual(Object.keys(REASONS).sort());
});
