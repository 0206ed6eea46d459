import { counted, isOk, isRefusal, scaled, unlike, type Attack } from '../attack';

const DASHES = 300_000;
const TASKS = 12_000;
const plain = { 'content-type': 'text/plain' };

const tasks = (count: number): string =>
  `version: 1.0\ntasks:\n${Array.from({ length: count }, (_, n) => `  t${n}:\n    action: core.noop\n    next:\n      - do: t${n + 1}\n`).join('')}  t${count}:\n    action: core.noop\n`;

export const definitionAttacks: readonly Attack[] = [
  {
    name: 'odd definitions',
    does: `has definitions inspected that are ${DASHES} times the same: dashes, question marks, brackets, lines, aliases`,
    expects: 'refusals or findings',
    async run({ api, scale }) {
      const inspect = (body: string) =>
        api.send({ method: 'POST', path: '/api/v1/workflows/inspect', headers: plain, body });
      const answers = [];
      for (const text of [
        '- ',
        '? ',
        ': ',
        '[',
        '{',
        ' ',
        '\n',
        '\t',
        '- &a *a ',
        '<% ',
        '{{',
        'a: 1\n',
        '!!binary ',
        '\ud800',
      ]) {
        answers.push(await inspect(text.repeat(DASHES)));
      }
      answers.push(await inspect(`a: &a [1]\nb: [${'*a,'.repeat(scaled(DASHES, scale, 1000))}]`));
      return {
        problems: unlike('definitions', answers, (status) => isOk(status) || isRefusal(status)),
        note: counted(answers),
      };
    },
  },
  {
    name: 'many tasks',
    does: `has a definition of ${TASKS} tasks inspected, three times at once`,
    expects: 'findings or refusals',
    async run({ api, scale }) {
      const body = tasks(scaled(TASKS, scale, 4000));
      const inspect = () => api.send({ method: 'POST', path: '/api/v1/workflows/inspect', headers: plain, body });
      const answers = await Promise.all([inspect(), inspect(), inspect()]);
      return {
        problems: unlike('definitions', answers, (status) => isOk(status) || isRefusal(status)),
        note: `${counted(answers)}, slowest ${Math.max(...answers.map(({ durationMs }) => durationMs)).toFixed(0)} ms`,
      };
    },
  },
  {
    name: 'API documents',
    does: 'asks for the API documents, with and without a login',
    expects: '200, or a refusal without a login',
    async run({ api, stranger }) {
      const paths = ['/auth/v1/openapi.json', '/api/v1/openapi.json'];
      const known = await Promise.all(paths.map((path) => api.call('GET', path)));
      const unknown = await Promise.all(paths.map((path) => stranger.call('GET', path)));
      return {
        problems: [
          ...unlike('documents', known, (status) => status === 200),
          ...unlike('documents without a login', unknown, (status) => isOk(status) || isRefusal(status)),
        ],
      };
    },
  },
];
