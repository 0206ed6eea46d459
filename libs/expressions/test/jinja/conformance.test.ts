import { join } from 'node:path';
import { RECORDED } from '@switchyard/testkit/recorded';
import { answerOf, readAnswers } from './recorded-answers';

/** Vectors that we answer differently, with the reason. */
const DIFFERENT: Readonly<Record<string, string>> = {
  '{{ (json | from_json_string).b }}':
    'recorded as undefined although the text in `json` is an object with `b`; the interface sheet gives its member',
  '{{ (json | from_json_string).a | sum }}': 'the same text; `a` is [1, 2]',
};

console.info(`${Object.keys(DIFFERENT).length} vectors are left out: ${Object.keys(DIFFERENT).join(', ')}`);

describe('the answers of the reference', () => {
  const { context, answers } = readAnswers(join(RECORDED, 'jinja.jsonl'));
  const compared = answers.filter(({ template }) => !Object.hasOwn(DIFFERENT, template));

  test.each(compared.map((answer) => [answer.template.slice(0, 80), answer] as const))('%s', (_name, expected) => {
    const { result, error } = answerOf(expected.template, context);
    expect({ result, error }).toEqual({ result: expected.result, error: expected.error });
  });
});
