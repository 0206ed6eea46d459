import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { answerOf, readAnswers } from './recorded-answers';

const path = resolve(__dirname, '../../../../../shared/conformance/jinja.jsonl');

/** Vectors that we answer differently, with the reason. */
const DIFFERENT: Readonly<Record<string, string>> = {
  '{{ (json | from_json_string).b }}':
    'recorded as undefined although the text in `json` is an object with `b`; the interface sheet gives its member',
  '{{ (json | from_json_string).a | sum }}': 'the same text; `a` is [1, 2]',
};

const describeVectors = existsSync(path) ? describe : describe.skip;
if (!existsSync(path)) console.info('Skipped: the recorded vectors are not beside this checkout.');
else console.info(`${Object.keys(DIFFERENT).length} vectors are left out: ${Object.keys(DIFFERENT).join(', ')}`);

describeVectors('the answers of the reference', () => {
  const { context, answers } = existsSync(path) ? readAnswers(path) : { context: {}, answers: [] };
  const compared = answers.filter(({ template }) => !Object.hasOwn(DIFFERENT, template));

  test.each(compared.map((answer) => [answer.template.slice(0, 80), answer] as const))('%s', (_name, expected) => {
    const { result, error } = answerOf(expected.template, context);
    expect({ result, error }).toEqual({ result: expected.result, error: expected.error });
  });
});
