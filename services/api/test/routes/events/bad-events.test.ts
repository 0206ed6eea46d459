import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { apiFixture, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
  const payload_schema = { type: 'object', properties: { order: { type: 'integer' } } };
  await api.ada.post('rules', rule({ name: 'kept' })).expect(201);
  await api.ada.post('rules', { ...interval({ unit: 'days', delta: 3 }), name: 'daily' }).expect(201);
  await api.ada.post('triggertypes', type({ name: 'kept', payload_schema })).expect(201);
});
afterAll(() => api.close());

const rule = (more: Record<string, unknown>) => ({
  name: 'bad',
  trigger: { type: 'core.st2.webhook', parameters: { url: 'kept' } },
  action: { ref: 'core.noop', parameters: {} },
  ...more,
});
const on = (name: string) => (parameters: unknown) => rule({ trigger: { type: `core.st2.${name}`, parameters } });
const interval = on('IntervalTimer');
const date = on('DateTimer');
const cron = on('CronTimer');
const hook = on('webhook');
const criteria = (entry: unknown) => rule({ criteria: { 'trigger.body.kind': entry } });
const correlation = (given: unknown) => rule({ correlation: given });
const type = (more: Record<string, unknown>) => ({ name: 'bad', pack: 'default', ...more });
const trigger = (more: Record<string, unknown>) => ({ ...type({ type: 'core.st2.webhook', parameters: {} }), ...more });
const days = { type: 'core.st2.IntervalTimer', parameters: { unit: 'days', delta: 77 } };

/** The body, the expected text, and the field when the text does not name it. */
type Row = [body: unknown, text: RegExp, field?: string];

const rules: Row[] = [
  [[], /^\[\] is not of type 'object'$/],
  ['text', /^'\*{8}' of type 'string' is not of type 'object'$/],
  [rule({ name: undefined }), /^'name' is a required property$/, 'name'],
  [rule({ name: '' }), /^Both pack and name needed for building ref\. pack=default, name=$/, 'name'],
  [rule({ name: 5 }), /^5 is not of type 'string'$/, 'name'],
  [rule({ pack: 'a.b' }), /^Pack name should not contain "\."$/, 'pack'],
  [rule({ enabled: 'yes' }), /^'yes' is not of type 'boolean'$/, 'enabled'],
  [rule({ description: 5 }), /^5 is not of type 'string', 'null'$/, 'description'],
  [rule({ tags: 'a' }), /^'a' is not of type 'array', 'null'$/, 'tags'],
  [rule({ tags: [{ value: 1 }] }), /^1 is not of type 'string', 'null'$/, 'tags.0.value'],
  [rule({ colour: 'red' }), /^Additional properties are not allowed \('colour' was unexpected\)$/],
  [rule({ type: 'standard' }), /^'standard' is not of type 'object', 'null'$/, 'type'],
  [rule({ type: { ref: 'nope' } }), /^There is no rule type "nope"; the rule types are \['standard', 'backstop'\]$/],
  [rule({ trigger: undefined }), /^'trigger' is a required property$/, 'trigger'],
  [rule({ trigger: 'core.x' }), /^'core\.x' is not of type 'object'$/, 'trigger'],
  [rule({ trigger: {} }), /^'type' is a required property$/, 'trigger.type'],
  [rule({ trigger: { type: 'a.nope', parameters: { a: 1 } } }), /^Trigger type with reference "a\.nope" doesn't exist/],
  [rule({ trigger: { type: 'nope', parameters: { a: 1 } } }), /^Invalid resource reference: nope$/],
  [rule({ trigger: { type: 'nope' } }), /^Trigger "nope" defined in the rule does not exist/],
  [rule({ action: undefined }), /^'action' is a required property$/, 'action'],
  [rule({ action: 'core.noop' }), /^'core\.noop' is not of type 'object'$/, 'action'],
  [rule({ action: {} }), /^'ref' is a required property$/, 'action.ref'],
  [rule({ action: { ref: 'a.b', parameters: [] } }), /^\[\] is not of type 'object', 'null'$/, 'action.parameters'],
  [rule({ action: { ref: 'a.b', when: 1 } }), /^Additional properties .*\('when' was unexpected\)$/, 'action'],
  [rule({ criteria: [] }), /^\[\] is not of type 'object'$/, 'criteria'],
  [criteria('x'), /^For field: trigger\.body\.kind, expected an object with "type" and "pattern", got str$/],
  [criteria({ pattern: 1 }), /^Operator not specified for field: trigger\.body\.kind$/],
  [criteria({ type: 'same' }), /^For field: trigger\.body\.kind, operator same not in list of allowed operators: \['/],
  [criteria({ type: 'eq' }), /^For field: trigger\.body\.kind, no pattern specified for operator eq$/],
  [correlation('x'), /^'x' is not of type 'object', 'null'$/, 'correlation'],
  [correlation({ thin: {} }), /^Invalid correlation .*: expected one of throttle, once_within, .*, got thin$/],
  [correlation({ debounce: {}, throttle: {} }), /expected one of .*, got debounce, throttle$/],
  [correlation({ throttle: { count: 0, seconds: 1 } }), /count has to be a whole number from 1 to 1000, got 0$/],
  [correlation({ debounce: { seconds: 'x' } }), /seconds has to be a number above 0 and up to 2678400, got 'x'$/],
  [interval({}), /^'unit' is a required property$/, 'parameters.unit'],
  [interval({ unit: 'eons', delta: 5 }), /^'eons' is not one of \['weeks', 'days', .*\]$/, 'parameters.unit'],
  [interval({ unit: 'days', delta: 1.5 }), /^1\.5 is not of type 'integer'$/, 'parameters.delta'],
  [interval({ unit: 'days', delta: 'soon' }), /^'soon' is not of type 'integer'$/, 'parameters.delta'],
  [interval({ unit: 'days', delta: 0 }), /^The delta of an interval timer must be 1 or more, got 0$/],
  [interval({ unit: 'weeks', delta: 1e9 }), /^An interval of 1000000000 weeks is longer than a timer can wait$/],
  [interval({ unit: 'days', delta: 1, jitter: 1 }), /\('jitter' was unexpected\)$/, 'parameters'],
  [interval({ unit: 'days', delta: 1, timezone: 'Mars' }), /^"Mars" is not a time zone; expected a name such as /],
  [date({}), /^'date' is a required property$/, 'parameters.date'],
  [date({ date: 5 }), /^5 is not of type 'string'$/, 'parameters.date'],
  [date({ date: 'whenever' }), /^"whenever" is not a date at which a timer can fire$/],
  [date({ date: '2030-02-30T00:00:00Z' }), /^"2030-02-30T00:00:00Z" is not a date at which a timer can fire$/],
  [cron({}), /^Trigger "core\.st2\.CronTimer" defined in the rule .* missing required "parameters" attribute$/],
  [cron({ hour: 24 }), /^24 is greater than the maximum of 23$/, 'parameters.hour'],
  [cron({ hours: 5 }), /\('hours' was unexpected\)$/, 'parameters'],
  [cron({ second: {} }), /^\{\} is not valid under any of the given schemas$/, 'parameters.second'],
  [cron({ minute: '*/0' }), /^Invalid value for the field "minute" of the cron timer: '\*\/0'\. Expected \*, /],
  [cron({ day_of_week: 'noday' }), /^Invalid value for the field "day_of_week" of the cron timer: 'noday'\. Expected /],
  [cron({ month: '5-3' }), /^Invalid value for the field "month" of the cron timer: '5-3'\. Expected /],
  [hook(5), /^5 is not of type 'object'$/, 'trigger.parameters'],
  [hook({}), /^'url' is a required property$/, 'parameters.url'],
  [hook({ url: 5 }), /^5 is not of type 'string'$/, 'parameters.url'],
  [hook({ url: '' }), /^Webhook url "" cannot be served: it is empty, /],
  [hook({ url: '//a' }), /^Webhook url "\/\/a" cannot be served: .* more than one slash at an end$/],
  [hook({ url: 'st2' }), /^Webhook url "st2" cannot be served: .* taken by the generic hook/],
  [hook({ url: 'a\nb' }), /^Webhook url "a\nb" cannot be served: .* control characters/],
];

const types: Row[] = [
  [[], /^\[\] is not of type 'object'$/],
  [{ name: 'bad' }, /^Both pack and name needed for building ref\. pack=None, name=bad$/, 'pack'],
  [{ pack: 'default' }, /^Both pack and name needed for building ref\. pack=default, name=None$/, 'name'],
  [type({ name: 5 }), /^5 is not of type 'string', 'null'$/, 'name'],
  [type({ pack: 'a.b' }), /^Pack name should not contain "\."$/, 'pack'],
  [type({ pack: 'core' }), /^Resources belonging to system level packs can't be manipulated$/],
  [type({ tags: [5] }), /^5 is not of type 'object'$/, 'tags.0'],
  [type({ payload_schema: 'x' }), /^'x' is not of type 'object', 'null'$/, 'payload_schema'],
  [type({ payload_schema: { type: 'nope' } }), /^Invalid schema at type: unknown type 'nope'$/],
  [type({ parameters_schema: { properties: 5 } }), /^Invalid schema at properties: expected an object, got 5$/],
  [type({ parameters_schema: { pattern: '(' } }), /^Invalid regular expression "\(": missing \)/],
];

const triggers: Row[] = [
  [[], /^\[\] is not of type 'object'$/],
  [trigger({ name: 5 }), /^5 is not of type 'string'$/, 'name'],
  [trigger({ type: undefined }), /^'type' is a required property$/, 'type'],
  [trigger({ parameters: 'x' }), /^'x' is not of type 'object', 'null'$/, 'parameters'],
  [trigger({}), /^'url' is a required property$/, 'parameters.url'],
  [trigger({ parameters: { url: 'a', colour: 1 } }), /\('colour' was unexpected\)$/, 'parameters'],
  [trigger({ ...days, parameters: { unit: 'days', delta: -1 } }), /must be 1 or more, got -1$/],
];

const generic: Row[] = [
  [[], /^Webhook body needs to be an object, got: array$/],
  [{}, /^Trigger not specified\.$/],
  [{ trigger: 5 }, /^Invalid resource reference: 5$/],
  [{ trigger: 'a.nope', payload: {} }, /"a\.nope" \(\{\}\): Trigger type with reference "a\.nope" doesn't exist/],
  [{ trigger: 'default.kept', payload: { order: 'x' } }, /"default\.kept" \(\{'order': 'x'\}\): 'x' is not of type /],
  [{ trigger: 'default.kept', payload: [1] }, /"default\.kept" \(\[1\]\): \[1\] is not of type 'object'$/],
  [{ trigger: days }, /^There is no trigger of type .* with the parameters \{'unit': 'days', 'delta': 77\}$/],
];

/** Everything that such a request could have changed. */
async function everything() {
  const { rules, triggers, triggerTypes, triggerInstances, executions, timers, sensorTypes, packs } = api.store;
  const lists = { rules, triggers, triggerTypes, triggerInstances, executions, timers, sensorTypes, packs };
  return Promise.all(
    Object.values(lists).map(async (each) =>
      JSON.stringify(await each.list({}))
        .split('},{')
        .sort(),
    ),
  );
}

async function isRefused(verb: 'post' | 'put', path: string, [body, text, field]: Row): Promise<void> {
  const before = await everything();
  const answer = await api.ada[verb](path).type('json').send(JSON.stringify(body));
  expect([answer.status, answer.body.faultstring]).toEqual([400, expect.stringMatching(text)]);
  expect(answer.body.field).toBe(field);
  expect(await everything()).toEqual(before);
}

describe('a refused request reports why, and changes nothing', () => {
  it.each(rules)('a new rule: %j', (...row) => isRefused('post', 'rules', row));
  it.each(rules)('a rule in the place of another one: %j', (...row) => isRefused('put', 'rules/default.kept', row));
  it.each(types)('a trigger type: %j', (...row) => isRefused('post', 'triggertypes', row));
  it.each(triggers)('a trigger: %j', (...row) => isRefused('post', 'triggers', row));
  it.each(generic)('an event of the generic webhook: %j', (...row) => isRefused('post', 'webhooks/st2', row));

  it.each<Row>([
    [5, /^'\*{8}' of type 'integer' is not of type 'object', 'array'$/],
    [null, /^None is not of type 'object', 'array'$/],
    ['text', /^'\*{8}' of type 'string' is not of type 'object', 'array'$/],
  ])('the body of a webhook: %j', (...row) => isRefused('post', 'webhooks/kept', row));

  it.each<[verb: 'get' | 'post' | 'put' | 'delete', path: string, status: number, text: RegExp, body?: object]>([
    ['post', 'rules', 409, /^Tried to save duplicate unique keys \(ref: "default\.kept"\)$/, rule({ name: 'kept' })],
    ['post', 'triggertypes', 409, /duplicate unique keys \(ref: "default\.kept"\)$/, type({ name: 'kept' })],
    ['put', 'rules/default.nope', 404, /^Resource with a reference or id "default\.nope" not found$/, rule({})],
    ['put', 'triggertypes/core.st2.webhook', 400, /system level packs can't be manipulated$/, type({})],
    ['delete', 'rules/default.nope', 404, /^Resource with a reference or id "default\.nope" not found$/],
    ['post', 'webhooks/nope', 404, /^Webhook nope not registered with st2$/, {}],
    ['post', 'triggerinstances/nope/re_emit', 404, /^Unable to identify resource with id "nope"\.$/, {}],
    ['get', 'timers?timer_type=core.st2.webhook', 400, /^Timer type core\.st2\.webhook not in supported types/],
    ['get', 'timers/nope', 404, /^Resource with a reference or id "nope" not found$/],
    ['get', 'rules?enabled=perhaps', 400, /^Invalid bool representation "perhaps" provided\.$/],
  ])('%s %s: a %i', async (...[verb, path, status, text, body]) => {
    const before = await everything();
    const answer = await api.ada[verb](path, body);
    expect([answer.status, answer.body.faultstring]).toEqual([status, expect.stringMatching(text)]);
    expect(await everything()).toEqual(before);
  });
});

const ruleOn = (listens: string, more = '') => `name: r\ntrigger: ${listens}\naction: {ref: core.noop}\n${more}`;
const hooked = '{type: core.st2.webhook, parameters: {url: a}}';
const every = (delta: string) => `{type: core.st2.IntervalTimer, parameters: {unit: days, delta: ${delta}}}`;
const sensor = (more: string) => `class_name: S\nentry_point: s.py\n${more}`;

describe('the registration of a pack with a bad file', () => {
  it.each([
    ['rules/x.yaml', 'name: [r', /line 1: expected "," or "]"/],
    ['rules/x.yaml', '', /line 1: None is not of type 'object': the file must contain keys and values$/],
    ['rules/x.yaml', 'name: r\naction: {ref: a.b}', /line 1, field "trigger": 'trigger' is a required property$/],
    ['rules/x.yaml', ruleOn('5'), /line 2, field "trigger": 5 is not of type 'object'$/],
    [
      'rules/x.yaml',
      ruleOn('{type: a.nope}'),
      /line 2, field "trigger": Trigger "a\.nope" defined in the rule does not/,
    ],
    [
      'rules/x.yaml',
      ruleOn(every('0')),
      /line 2, field "trigger": The delta of an interval timer .* 1 or more, got 0$/,
    ],
    ['rules/x.yaml', ruleOn(every('soon')), /line 2, field "trigger": 'soon' is not of type 'integer'$/],
    ['rules/x.yaml', ruleOn(hooked, 'enabled: "on"'), /line 4, field "enabled": 'on' is not of type 'boolean'$/],
    ['rules/x.yaml', ruleOn(hooked, 'criteria: {a: {type: eq}}'), /line 4, field "criteria": For field: a, no pattern/],
    ['rules/x.yaml', ruleOn(hooked, 'type: {ref: nope}'), /line 4, field "type\.ref": There is no rule type "nope"/],
    ['triggers/x.yaml', 'description: t', /line 1, field "name": Both pack and name needed .* name=None$/],
    ['triggers/x.yaml', 'name: 5', /line 1, field "name": 5 is not of type 'string', 'null'$/],
    ['triggers/x.yaml', 'name: t\npayload_schema: x', /line 2, field "payload_schema": 'x' is not of type 'object'/],
    ['triggers/x.yaml', 'name: t\npayload_schema: {type: nope}', /: Invalid schema at type: unknown type 'nope'$/],
    ['sensors/x.yaml', 'entry_point: s.py', /line 1, field "class_name": 'class_name' is a required property$/],
    [
      'sensors/x.yaml',
      'class_name: S\nentry_point: gone.py',
      /line 2, field "entry_point": .* needs the file ".*gone\.py"/,
    ],
    ['sensors/x.yaml', sensor('poll_interval: 1'), /line 3, field "poll_interval": 1 is less than the minimum of 4$/],
    ['sensors/x.yaml', sensor('colour: red'), /line 3, field "colour": .*'colour' was unexpected/],
  ])('%s %j names file, line and field, and changes nothing', async (file, text, reason) => {
    const before = await everything();
    const directory = join(api.packs, 'broken');
    const files = {
      'pack.yaml': 'name: broken\ndescription: d\nversion: 1.0.0\nauthor: a\n',
      'sensors/s.py': '',
      'rules/good.yaml': ruleOn(hooked).replace('name: r', 'name: good'),
      'triggers/good.yaml': 'name: good',
      [file]: text,
    };
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(directory, name)), { recursive: true });
      await writeFile(join(directory, name), content);
    }
    const { status, body } = await api.ada.post('packs/register', { packs: ['broken'], fail_on_failure: true });
    await rm(directory, { recursive: true });
    expect([status, body.faultstring]).toEqual([400, expect.stringContaining(`broken/${file}" from pack "broken": `)]);
    expect(body.faultstring).toMatch(reason);
    expect(await everything()).toEqual(before);
  });
});
