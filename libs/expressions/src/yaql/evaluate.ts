import { type ExpressionError, type ExpressionScope, Interruption } from '../evaluate/scope';
import { currentTurns } from '../turns/turns';
import { CompiledExpressions } from './compiled-expressions';
import { library } from './library';
import { Budget, DEFAULT_YAQL_LIMITS, switchBudget, type YaqlLimits } from './run/budget';
import { Frame } from './run/frame';
import { expressionError } from './expression-error';
import { toPlain } from './values/plain';
import { resultText } from './values/result-text';

const expressions = new CompiledExpressions(library);

/**
 * The value of a YAQL expression as plain data: null, boolean, number (bigint beyond 2^53), text, list, or object with text
 * keys. Sets and iterators are lists; moments are ISO 8601; data of the scope are handed through without a copy.
 * @param source without the delimiters `<%` and `%>`
 * @throws ExpressionError, and Interruptions of host functions
 */
export function evaluateYaql(source: string, scope: ExpressionScope, limits?: Partial<YaqlLimits>): unknown {
  const turns = currentTurns();
  if (turns === undefined) return run(source, scope, limits, toPlain);
  const here = () => run(source, scope, limits, toPlain);
  return turns.evaluate({ language: 'yaql', form: 'native', source, scope, limits }, here);
}

/** The value as it stands within a larger text: Python's `str` of it. @throws ExpressionError */
export function yaqlText(source: string, scope: ExpressionScope, limits?: Partial<YaqlLimits>): string {
  const turns = currentTurns();
  if (turns === undefined) return run(source, scope, limits, resultText);
  const here = () => run(source, scope, limits, resultText);
  return turns.evaluate({ language: 'yaql', form: 'text', source, scope, limits }, here);
}

/** What is wrong with the syntax of an expression; `position` counts from its first character. */
export function yaqlProblem(source: string): ExpressionError | undefined {
  try {
    expressions.get(source);
    return undefined;
  } catch (error) {
    return expressionError(error, source);
  }
}

function run<T>(
  source: string,
  scope: ExpressionScope,
  limits: Partial<YaqlLimits> | undefined,
  finish: (value: unknown) => T,
): T {
  const own = new Budget(limits === undefined ? undefined : { ...DEFAULT_YAQL_LIMITS, ...limits });
  const outer = switchBudget(own);
  try {
    return finish(expressions.get(source)(new Frame({ scope, library })));
  } catch (error) {
    throw error instanceof Interruption ? error : expressionError(error, source);
  } finally {
    own.settle();
    switchBudget(outer);
  }
}
