import { answerOf, readAnswers } from './recorded-answers';
import { scopeOf } from './host';

const { context, answers } = readAnswers();
const scope = scopeOf(context);

/** Vectors that succeed here although they fail in the reference. */
const DIFFERENT: Readonly<Record<string, RegExp>> = {
  'the result of items() is a list of pairs; the reference cannot put lists into the set that it makes of it':
    /\.items\(\)$/,
  'json() passes data through; the reference accepts only its own kind of dictionaries': /^json\(ctx\(dict\)\)$/,
};

const isDifferent = (expr: string, failed: boolean): boolean =>
  failed && Object.values(DIFFERENT).some((pattern) => pattern.test(expr));

const left = answers.filter(({ expr, error }) => isDifferent(expr, error === true));
const failing = left.filter(({ expr }) => answerOf(expr, scope).error !== true);
console.info(`${failing.length} vectors are left out: ${failing.map(({ expr }) => expr).join(' ;; ')}`);

describe('the results of the reference', () => {
  test.each(answers.map((answer) => [answer.expr.slice(0, 100), answer] as const))('%s', (_name, expected) => {
    const { result, error } = answerOf(expected.expr, scope);
    if (error === undefined && isDifferent(expected.expr, expected.error === true)) return;
    expect({ result, error }).toEqual({ result: expected.result, error: expected.error });
  });
});
