import { setTimeout as wait } from 'node:timers/promises';
import type { ApiCaller } from '../../system/api-caller';
import { eventProblems, type Listener } from '../event-checks';
import { commandAction, expectAnswer, PACK, recorded, type Load } from './load';
import { createTickCheck } from './tick-check';
import { SENSOR, sentNumbers } from './sensor-program';

/** 202: the event is stored. */
const ACCEPTED = 202;

const rule = (name: string, trigger: object, action: string): object => ({
  name,
  pack: PACK,
  enabled: true,
  trigger,
  action: { ref: action },
});

const listenerOf = async (api: ApiCaller, name: string): Promise<Listener> => {
  const ref = `${PACK}.${name}`;
  const { trigger } = (await expectAnswer(api, `/v1/rules/${ref}`)) as { trigger: { ref: string } };
  return { rule: ref, trigger: trigger.ref };
};

/** Webhooks, each of which runs a command. */
export const webhooks: Load = {
  name: 'webhooks',
  files: (journal) => ({
    'actions/hooked.yaml': commandAction('hooked', recorded(journal, 'true')),
    'rules/hook.yaml': rule('hook', { type: 'core.st2.webhook', parameters: { url: PACK } }, `${PACK}.hooked`),
  }),
  async open({ site: { api } }) {
    const listener = await listenerOf(api, 'hook');
    const answered = new Set<number>();
    return {
      pace: { atATime: 2, pauses: 3 },
      async once(number) {
        const { status } = await api.call('POST', `/v1/webhooks/${PACK}`, { number });
        if (status === ACCEPTED) answered.add(number);
      },
      async problems() {
        const numberOf = (payload: Record<string, unknown>) => (payload['body'] as { number: number }).number;
        return eventProblems(api, listener, () => ({ answered, keyOf: numberOf }));
      },
    };
  },
};

/** A clock that jumps back takes effect within a second, and the timer acts on it when it would fire next. */
const NOTICED_MS = 3000;

/** A timer that fires every second. */
export const timers: Load = {
  name: 'timers',
  files: () => ({
    'rules/tick.yaml': rule('tick', { type: 'core.st2.IntervalTimer', parameters: { unit: 'seconds', delta: 1 } }, 'core.noop'), // oxfmt-ignore
  }),
  async open({ site: { api } }) {
    const listener = await listenerOf(api, 'tick');
    const ticks = createTickCheck();
    const timeOf = (payload: Record<string, unknown>) => String(payload['executed_at']);
    return {
      endlessRule: listener.rule,
      async problems(jumped) {
        if (jumped) await wait(NOTICED_MS);
        return eventProblems(
          api,
          listener,
          () => ({ answered: new Set<string>(), keyOf: timeOf }),
          ({ problems, instances }) => {
            if (problems.length > 0) return [];
            const fired = instances.map(({ id, payload }) => ({
              id,
              time: Date.parse(timeOf(payload).replace(' ', 'T')),
            }));
            return ticks.problems(fired, jumped);
          },
        );
      },
    };
  },
};

/** A sensor that dispatches numbered events all the time, and writes down those that were accepted. */
export const sensors: Load = {
  name: 'sensors',
  files: (journal) => ({
    'sensors/numbers.js': SENSOR(`${journal}-sensor`, `${PACK}.number`),
    'sensors/numbers.yaml': {
      class_name: 'Numbers',
      entry_point: 'numbers.js',
      description: 'Counts.',
      trigger_types: [
        { name: 'number', payload_schema: { type: 'object', properties: { number: { type: 'string' } } } },
      ],
    },
    'rules/number.yaml': rule('number', { type: `${PACK}.number` }, 'core.noop'),
  }),
  async open({ site: { api }, journal }) {
    const listener = await listenerOf(api, 'number');
    const numberOf = (payload: Record<string, unknown>) => String(payload['number']);
    let before = 0;
    return {
      endlessRule: listener.rule,
      async problems() {
        const sent = () => sentNumbers(`${journal}-sensor`);
        const problems = await eventProblems(
          api,
          listener,
          () => ({ answered: sent(), keyOf: numberOf }),
          () => (sent().size > before ? [] : ['the sensor has sent nothing since the last fault']),
        );
        before = sent().size;
        return problems;
      },
    };
  },
};
