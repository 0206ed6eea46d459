import {
  ACCEPTED_BYTES,
  isRefusal,
  isRefusalOrClosed,
  isOk,
  REFUSED_BYTES,
  scaled,
  unlike,
  type Attack,
} from '../attack';
import type { Answer } from '../answer';

const MEMBERS = 400;

/** An expression that takes a few milliseconds. */
const LOOP = '{% for i in range(6000) %}{% set x = i * 2 %}{% endfor %}done';
const ENDLESS = '{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}';

const answered = (status: number): boolean => isOk(status) || isRefusal(status);
const note = ({ status, durationMs }: Answer): string => `answered ${status} after ${durationMs.toFixed(0)} ms`;

export const expressionAttacks: readonly Attack[] = [
  {
    name: 'many expressions',
    does: `asks for an execution with ${MEMBERS} members, each of which is a loop`,
    expects: 'an execution or a refusal',
    async run({ api, scale }) {
      const env = Object.fromEntries(Array.from({ length: scaled(MEMBERS, scale, 20) }, (_, n) => [`A${n}`, LOOP]));
      const answer = await api.call('POST', '/api/v1/executions', {
        action: 'core.local',
        parameters: { cmd: 'true', env },
      });
      return { problems: unlike('the request', [answer], answered), note: note(answer) };
    },
  },
  {
    name: 'long command',
    does: `asks for a command of ${ACCEPTED_BYTES} characters, and one of ${REFUSED_BYTES}`,
    expects: 'an execution that fails, and a refusal',
    async run({ api }) {
      const ask = (bytes: number) =>
        api.call('POST', '/api/v1/executions', {
          action: 'core.local',
          parameters: { cmd: `true ${'x'.repeat(bytes)}` },
        });
      const [accepted, refused] = [await ask(ACCEPTED_BYTES), await ask(REFUSED_BYTES)];
      return {
        problems: [
          ...unlike('the request', [accepted], answered),
          ...unlike('the request that is too large', [refused], isRefusalOrClosed),
        ],
        note: note(accepted),
      };
    },
  },
  {
    name: 'endless expression',
    does: 'asks for an execution with one expression that takes as long as it may',
    expects: 'a refusal',
    async run({ api }) {
      const answer = await api.call('POST', '/api/v1/executions', {
        action: 'core.local',
        parameters: { cmd: ENDLESS },
      });
      return { problems: unlike('the request', [answer], isRefusal), note: note(answer) };
    },
  },
];
