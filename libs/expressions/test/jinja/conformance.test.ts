import { join } from 'node:path';
import { RECORDED } from '@switchyard/testkit/recorded';
import { answerOf, readAnswers } from './recorded-answers';

describe('the results of the reference', () => {
  const { context, answers } = readAnswers(join(RECORDED, 'jinja.jsonl'));

  test.each(answers.map((answer) => [answer.template.slice(0, 80), answer] as const))('%s', (_name, expected) => {
    const { result, error } = answerOf(expected.template, context);
    expect({ result, error }).toEqual({ result: expected.result, error: expected.error });
  });
});
