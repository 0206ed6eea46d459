import { isOk, isRefusal, unlike, type Attack } from '../attack';
import { webhookRule } from '../rules';

const PATTERN_LENGTH = 100_000;
const FORMAT_LENGTH = 50_000;
/** A pattern that backtracks practically forever on a text that does not match. */
const CATASTROPHE = '^(a+)+$';

export const patternAttacks: readonly Attack[] = [
  {
    name: 'long patterns',
    does: `stores a rule with a pattern of ${PATTERN_LENGTH} characters, an alias with a format of ${FORMAT_LENGTH}, a pattern that backtracks`,
    expects: 'refusals of the long ones, and neighbours that work',
    async run({ api }) {
      const neighbour = await webhookRule(api, 'hostile_neighbour');
      await api.call('POST', '/api/v1/actionalias', alias('hostile_alias', 'hostile greeting {{message}}'));
      const rules = [
        await api.call('POST', '/api/v1/rules', rule('hostile_long', 'a'.repeat(PATTERN_LENGTH))),
        await api.call('POST', '/api/v1/actionalias', alias('hostile_long', `x{{a}}${'y'.repeat(FORMAT_LENGTH)}`)),
      ];
      const slow = [await api.call('POST', '/api/v1/rules', rule('hostile_slow', CATASTROPHE))];
      const matched = await api.call('POST', '/api/v1/actionalias/match', { command: 'hostile greeting hello' });
      const problems = [
        ...unlike('long patterns', rules, isRefusal),
        ...unlike('a pattern that backtracks', slow, (status) => isOk(status) || isRefusal(status)),
        ...unlike('the neighbouring alias', [matched], (status) => status === 200),
      ];
      const fired = await api.call('POST', neighbour.path, { text: `${'a'.repeat(40)}!` });
      problems.push(...unlike('a text that does not fit', [fired], isOk), ...(await neighbour.works()));
      // The rule would slow down all later attacks.
      await api.call('DELETE', '/api/v1/rules/default.hostile_slow');
      return { problems };
    },
  },
];

const rule = (name: string, pattern: string) => ({
  name,
  pack: 'default',
  enabled: true,
  trigger: { type: 'core.st2.webhook', parameters: { url: 'hostile_neighbour' } },
  criteria: { 'trigger.body.text': { type: 'matchregex', pattern } },
  action: { ref: 'core.noop', parameters: {} },
});

const alias = (name: string, format: string) => ({
  name,
  pack: 'default',
  description: 'For the suite of attacks.',
  action_ref: 'core.noop',
  formats: [format],
});
