import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isInstalled } from '@switchyard/testkit/needed-programs';
import { startSide, type EventsSide } from './events-side';

const MINUTE = 60_000;
const LOOK_MS = 100;

const hasPython = isInstalled('python3', 'stories of events');

/** A pack whose action writes its parameters as JSON and whose sensor reports its process id. */
const PACK = {
  'pack.yaml': 'name: stories\ndescription: d\nversion: 1.0.0\nauthor: a\n',
  'actions/types.yaml': `
name: types
runner_type: local-shell-cmd
entry_point: ''
parameters:
  count: {type: integer}
  flag: {type: boolean}
  settings: {type: object}
  names: {type: array}
  text: {type: string}
  cmd:
    immutable: true
    default: |
      cat <<'END'
      {{ [count, flag, settings, names, text] | to_json_string }}
      END
`,
  'sensors/watcher.yaml': `
class_name: Watcher
entry_point: watcher.py
poll_interval: 4
trigger_types:
  - name: seen
    payload_schema: {type: object, properties: {pid: {type: integer}}}
`,
  'sensors/watcher.py': `
import os
from st2reactor.sensor.base import PollingSensor


class Watcher(PollingSensor):
    def setup(self):
        pass

    def poll(self):
        self.sensor_service.dispatch(trigger="stories.seen", payload={"pid": os.getpid()})

    def cleanup(self):
        pass

    def add_trigger(self, trigger):
        pass

    update_trigger = remove_trigger = add_trigger
`,
};

interface Instance {
  id: string;
  occurrence_time: string;
  payload: Record<string, unknown>;
}

interface Execution {
  id: string;
  status: string;
  start_timestamp: string;
  parameters: Record<string, unknown>;
  result: { stdout?: unknown };
  trigger_instance: { id: string };
}

let side: EventsSide;

(hasPython ? describe : describe.skip)('In a running system', () => {
  beforeAll(async () => {
    side = await startSide();
    for (const [file, text] of Object.entries(PACK)) {
      const path = join(side.directory, 'packs/stories', file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    await asked('POST', 'packs/register', { packs: ['stories'] });
  }, 2 * MINUTE);
  afterAll(() => side.stop(), MINUTE);

  it(
    'a webhook runs an action, and parameters keep their types',
    async () => {
      const rule = await makeRule(
        'typed',
        { type: 'core.st2.webhook', parameters: { url: 'typed' } },
        'stories.types',
        {
          count: '{{ trigger.body.count }}',
          flag: '{{ trigger.body.flag }}',
          settings: '{{ trigger.body.settings }}',
          names: '{{ trigger.body.names }}',
          text: 'n{{ trigger.body.count }}',
        },
      );
      const body = { count: 3, flag: false, settings: { deep: [1, null, { a: 1.5 }] }, names: ['x', 2, true] };
      await asked('POST', 'webhooks/typed', body);
      const [execution] = await executionsOf(rule, 1);
      expect(execution).toMatchObject({ status: 'succeeded', parameters: { ...body, text: 'n3' } });
      const { count, flag, settings, names } = body;
      expect(execution?.result.stdout).toEqual([count, flag, settings, names, 'n3']);
    },
    2 * MINUTE,
  );

  it(
    'an interval timer causes one execution per tick; a date in the past never fires',
    async () => {
      const past = await makeRule('past', { type: 'core.st2.DateTimer', parameters: { date: '2014-12-31T23:59:59Z' } });
      const rule = await makeRule('each', {
        type: 'core.st2.IntervalTimer',
        parameters: { unit: 'seconds', delta: 1 },
      });
      const executions = await executionsOf(rule, 5);
      const ticks = await instancesOf(rule);
      await asked('DELETE', `rules/${rule.ref}`);
      const ids = executions.map(({ trigger_instance: { id } }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ticks.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
      expect(await instancesOf(past)).toEqual([]);
      console.info(`from a tick to its execution: ${delays(ticks, executions).join(', ')} ms`);
    },
    2 * MINUTE,
  );

  it(
    'events of a Python sensor arrive, even after it was killed',
    async () => {
      const rule = await makeRule('heard', { type: 'stories.seen', parameters: {} });
      const pids = async () => new Set((await instancesOf(rule)).map(({ payload }) => Number(payload['pid'])));
      const [first = 0] = await until(
        async () => [...(await pids())],
        'a word of the sensor',
        (found) => found.length > 0,
      );
      process.kill(first, 'SIGKILL');
      await until(pids, 'a word of another process', (found) => found.size > 1);
      const executions = await executionsOf(rule, 2);
      expect(new Set(executions.map(({ trigger_instance: { id } }) => id)).size).toBe(executions.length);
      await asked('PUT', 'sensortypes/stories.Watcher', {
        ...(await asked('GET', 'sensortypes/stories.Watcher')),
        enabled: false,
      });
    },
    2 * MINUTE,
  );
});

interface Rule {
  ref: string;
  trigger: { ref: string };
}

const makeRule = (name: string, trigger: object, ref = 'core.noop', parameters: object = {}) =>
  asked<Rule>('POST', 'rules', { name, enabled: true, trigger, action: { ref, parameters } });

async function asked<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await side.api.call(method, `/v1/${path}`, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as T;
}

const instancesOf = ({ trigger }: Rule) => asked<Instance[]>('GET', `triggerinstances?trigger=${trigger.ref}&limit=-1`);

/** Waits for the given number of succeeded executions. */
const executionsOf = (rule: Rule, count: number) =>
  until(
    () => asked<Execution[]>('GET', `executions?rule=${rule.ref}&status=succeeded&limit=-1`),
    `${count} executions of ${rule.ref}`,
    (found) => found.length >= count,
  );

async function until<T>(look: () => Promise<T>, what: string, isIt: (found: T) => boolean): Promise<T> {
  const end = performance.now() + MINUTE;
  for (;;) {
    const found = await look();
    if (isIt(found)) return found;
    if (performance.now() > end)
      throw new Error(`gave up waiting for ${what}: ${JSON.stringify(found).slice(0, 2000)}`);
    await delay(LOOK_MS);
  }
}

function delays(ticks: readonly Instance[], executions: readonly Execution[]): number[] {
  const at = new Map(ticks.map(({ id, occurrence_time: time }) => [id, Date.parse(time)]));
  return executions.map(
    ({ trigger_instance: { id }, start_timestamp: start }) => Date.parse(start) - (at.get(id) ?? NaN),
  );
}
