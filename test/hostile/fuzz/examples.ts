import { below, pick, type Random } from './random';

/** The number of records per resource. */
export const FUZZED = 4;

const nameOf = (random: Random): string => `fuzz_${below(FUZZED, random)}`;
const refOf = (random: Random): string => `default.${nameOf(random)}`;

type Example = (random: Random) => unknown;

const rule: Example = (random) => ({
  name: nameOf(random),
  pack: 'default',
  description: 'From the fuzzer.',
  enabled: random() < 0.8,
  trigger: pick(
    [
      { type: 'core.st2.webhook', parameters: { url: nameOf(random) } },
      { type: 'core.st2.IntervalTimer', parameters: { unit: 'hours', delta: 24 } },
      { type: 'core.st2.CronTimer', parameters: { hour: 3, minute: '*/5' } },
    ],
    random,
  ),
  criteria: {
    'trigger.body.a': {
      type: pick(['eq', 'matchregex', 'gt', 'inside', 'exists', 'search', 'timediff_gt'], random),
      pattern: pick(['a', '{{ trigger.body.b }}', 5, '^a.*b$'], random),
    },
  },
  action: { ref: 'core.noop', parameters: {} },
  tags: [],
});

const action: Example = (random) => ({
  name: nameOf(random),
  pack: 'default',
  description: 'From the fuzzer.',
  enabled: true,
  runner_type: 'noop',
  entry_point: '',
  parameters: {
    a: { type: pick(['string', 'integer', 'array', 'object', 'number', 'boolean'], random), required: random() < 0.3 },
    b: { type: 'string', default: '{{ a }}', secret: random() < 0.5 },
  },
  tags: [{ name: 'x', value: 'y' }],
});

const alias: Example = (random) => ({
  name: nameOf(random),
  pack: 'default',
  description: 'From the fuzzer.',
  action_ref: refOf(random),
  formats: [`fuzz ${nameOf(random)} {{a}}( with {{b=1}})?`],
  ack: { format: 'ok {{ execution.id }}' },
});

const trigger: Example = (random) => ({
  name: nameOf(random),
  pack: 'default',
  payload_schema: { type: 'object', properties: { a: { type: 'string' } } },
  parameters_schema: { type: 'object' },
});

const policy: Example = (random) => ({
  name: nameOf(random),
  pack: 'default',
  resource_ref: refOf(random),
  policy_type: pick(['action.concurrency', 'action.rate_limit', 'action.retry'], random),
  parameters: { threshold: 3, action: 'delay' },
});

const execution: Example = (random) =>
  pick<unknown>(
    [
      { action: 'core.noop' },
      { action: refOf(random), parameters: { a: '{{ 1 + 1 }}', b: 'x' } },
      { action: 'core.local', parameters: { cmd: 'true', env: { A: '{{ "a" | upper }}' }, timeout: 5 } },
      { action: 'core.echo', parameters: { message: 'hello' }, context: { trace_context: { trace_tag: 'fuzz' } } },
      { action: 'core.noop', notify: { 'on-complete': { message: 'x', routes: ['a'] } }, delay: 0 },
    ],
    random,
  );

const WORKFLOW = `version: 1.0
input: [a, {b: 1}]
vars: [{c: <% ctx(a) %>}]
tasks:
  one:
    action: core.local
    input: {cmd: 'echo {{ ctx().c }}'}
    next: [{when: <% succeeded() %>, publish: [{d: <% result().stdout %>}], do: two}]
  two:
    with: x in <% ctx(d) %>
    action: core.noop
output: [{e: <% ctx(d) %>}]
`;

/** Valid bodies for operations whose schema does not describe them well enough. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  'POST /api/v1/rules': rule,
  'PUT /api/v1/rules/{ref_or_id}': rule,
  'POST /api/v1/rules/backtest': (random) => ({ rule: random() < 0.5 ? refOf(random) : rule(random), since: '1d' }),
  'POST /api/v1/actions': action,
  'PUT /api/v1/actions/{ref_or_id}': action,
  'POST /api/v1/actionalias': alias,
  'PUT /api/v1/actionalias/{ref_or_id}': alias,
  'POST /api/v1/actionalias/match': (random) => ({ command: `fuzz ${nameOf(random)} hello` }),
  'POST /api/v1/aliasexecution/match_and_execute': (random) => ({
    command: `fuzz ${nameOf(random)} hello`,
    user: 'testu',
    source_channel: 'x',
  }),
  'POST /api/v1/triggertypes': trigger,
  'PUT /api/v1/triggertypes/{ref_or_id}': trigger,
  'POST /api/v1/triggers': (random) => ({
    name: nameOf(random),
    pack: 'default',
    type: refOf(random),
    parameters: { a: 1 },
  }),
  'PUT /api/v1/triggers/{id}': (random) => ({ name: nameOf(random), pack: 'default', type: refOf(random) }),
  'POST /api/v1/policies': policy,
  'PUT /api/v1/policies/{ref_or_id}': policy,
  'POST /api/v1/webhooks/{hook}': () => ({ a: 'a', b: { c: [1, 2] } }),
  'POST /api/v1/executions': execution,
  'PUT /api/v1/configs/{pack_ref}': () => ({ a: 1, b: { c: '{{ st2kv.system.fuzz_0 }}' } }),
  'PUT /api/v1/keys/{name}': (random) => ({ name: nameOf(random), value: 'x', secret: random() < 0.3, ttl: 600 }),
  'POST /api/v1/packs/register': () => ({ packs: ['default'], types: ['actions'] }),
  'POST /api/v1/packs/install': () => ({ packs: ['fuzz-nothing'] }),
  'POST /api/v1/packs/uninstall': () => ({ packs: ['fuzz-nothing'] }),
  'POST /api/v1/workflows/inspect': () => WORKFLOW,
  'POST /api/v1/workflows/graph': () => WORKFLOW,
  'POST /api/v1/workflows/rehearse': () => ({ definition: WORKFLOW, rehearsal: { inputs: {} } }),
};

/** A valid body, or undefined if the schema is sufficient. */
export const exampleOf = (operation: string, random: Random): unknown => EXAMPLES[operation]?.(random);

/** Names for paths, existing and missing ones. None of them is needed by other requests, which could change or delete it. */
export function pathValue(path: string, name: string, isRead: boolean, random: Random): string {
  const resource = path.split('/')[3] ?? '';
  if (resource === 'packs') return isRead ? pick(['core', 'default', 'hostile', 'nothing'], random) : 'fuzz-nothing';
  if (resource === 'configs' || resource === 'config_schemas') return pick(['default', 'hostile', 'nothing'], random);
  if (resource === 'runnertypes') return isRead ? pick(['noop', 'local-shell-cmd', 'nothing'], random) : 'announcement';
  if (name === 'attribute') return pick(['result', 'parameters', 'status', 'log', 'nothing'], random);
  if (name === 'file_path') return pick(['pack.yaml', 'actions/noop.yaml', 'nothing'], random);
  if (['name', 'hook', 'url'].includes(name)) return nameOf(random);
  if (name === 'ref_or_id' && random() < 0.7) return refOf(random);
  if (random() < 0.1 && isRead) return pick(['core.local', 'core.noop', '000000000000000000000000'], random);
  return idPlace(resource);
}

/** A placeholder for the last seen id of a resource, which is only known when the request is sent. */
const idPlace = (resource: string): string => `~id-${resource}~`;
export const ID_PLACE = /~id-([a-z]+)~/g;
