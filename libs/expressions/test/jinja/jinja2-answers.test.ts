import { resolve } from 'node:path';
import { answerOf, readAnswers } from './recorded-answers';

// Recorded with Jinja2 3.1.6: sandboxed, strict undefined, trim_blocks and lstrip_blocks. The file omits error texts
// that name Jinja2's own functions.
const { context, answers } = readAnswers(resolve(__dirname, 'jinja2-answers.jsonl'));

describe('templates render as in Jinja2', () => {
  test.each(answers.map((answer) => [answer.template.slice(0, 80), answer] as const))('%s', (_name, expected) => {
    const ours = answerOf(expected.template, context);
    const { message, ...rest } = ours;
    expect(expected.message === undefined ? rest : ours).toEqual(expected);
    if (expected.error !== undefined) expect(message).not.toBe('');
  });
});
