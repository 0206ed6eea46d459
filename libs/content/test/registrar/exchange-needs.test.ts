import { registerContent } from '../../src';
import { memoryStore } from '../support/memory-store';
import { PackDirectories, packFile, writeFiles, type Files } from '../support/pack-directory';
import { runnerTypes } from '../support/runner-types';
import { triggersOn } from '../support/triggers-on';

const directories = new PackDirectories();
afterEach(() => directories.clear());

/** A pack with the mistakes and idioms of published packs. */
const PACK: Files = {
  // Quoted text continues at the left margin, as in the output of action generators.
  'actions/beds.yaml': `name: beds
runner_type: noop
description: "Lists the beds,
and what grows in them"
parameters:
  kind:
    type: string
    description: 'One of
roses, clover'
`,
  'actions/water.yaml': '\uFEFF---\r\nname: water\r\nrunner_type: noop\r\nenabled: yes\r\n...\r\n',
  'sensors/gauge.py': 'x = 1',
  'sensors/gauge.yaml': `class_name: Gauge
entry_point: gauge.py
trigger_types:
  - name: wet
  - name: dry
    payload_schema:
      type: object
      properties:
        beds: {type: array, items: "object"}
        names: {type: object, properties: {added: {type: array, items: "string"}}}
`,
  'rules/on_push.yaml': `name: on_push
enabled: false
trigger: {type: core.st2.webhook, parameters: {url: garden_push}}
criteria:
  trigger.body: {pattern: beds, type: exists}
action: {ref: garden.water}
`,
  'aliases/water.yaml': 'name: water\naction_ref: garden.water\nformats: ["water {{bed}}"]\n',
  'aliases/between.yaml': 'name: between\naction_ref: garden.water\nformats: ["between {{bed}} and {{bed}}"]\n',
};

it('a pack with the mistakes of published packs registers everything that is usable, and reports the rest', async () => {
  const root = await directories.root();
  await writeFiles(`${root}/garden`, { 'pack.yaml': packFile('garden'), ...PACK });
  const store = memoryStore();
  const triggers = triggersOn(store);
  await triggers.registerBuiltIn();
  const { counts, failures } = await registerContent({
    ...{ store, triggers, roots: [root], runnerTypes, failOnFailure: false },
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  expect(counts).toMatchObject({ actions: 2, sensors: 1, rules: 1, aliases: 1 });
  expect(failures.map(({ file, field, line }) => [file.slice(root.length), field, line])).toEqual([
    ['/garden/sensors/gauge.yaml', 'trigger_types.1', 5],
    ['/garden/aliases/between.yaml', 'formats', 3],
  ]);
  expect((await store.actions.byKey('garden.beds'))?.description).toBe('Lists the beds, and what grows in them');
  expect(await store.actions.byKey('garden.water')).toMatchObject({ enabled: true });
  expect((await store.sensorTypes.byKey('garden.Gauge'))?.trigger_types).toEqual(['garden.wet']);
});
