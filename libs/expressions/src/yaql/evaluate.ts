import { type ExpressionError, type ExpressionScope, Interruption } from '../evaluate/scope';
import { currentTurns } from '../turns/turns';
import { library } from './library';
import { YaqlBudget, DEFAULT_YAQL_LIMITS, switchBudget, type YaqlLimits } from './run/budget';
import { Frame, type Code } from './run/frame';
import { expressionError } from './expression-error';
import { plainFromYaql } from './values/plain';
import { TextCache } from '../jinja/text-cache';
import { compile } from './run/compile';
import { parseYaqlExpression } from './syntax/parse';
import { outer } from './values/text';

const compiled = new TextCache<Code>();

/**
 * Evaluates a YAQL expression to plain data: null, boolean, number (bigint beyond 2^53), text, list, or object with
 * text keys. Sets and iterators become lists, moments ISO 8601 texts; data of the scope is returned without a copy.
 * @param source without the delimiters `<%` and `%>`
 * @throws ExpressionError, and Interruptions of host functions
 */
export function evaluateYaql(source: string, scope: ExpressionScope, limits?: Partial<YaqlLimits>): unknown {
  const turns = currentTurns();
  if (turns === undefined) return run(source, scope, limits, plainFromYaql);
  const here = () => run(source, scope, limits, plainFromYaql);
  return turns.evaluate({ language: 'yaql', form: 'native', source, scope, limits }, here);
}

/** Evaluates an expression inside a larger text: Python's `str` of its value. @throws ExpressionError */
export function yaqlText(source: string, scope: ExpressionScope, limits?: Partial<YaqlLimits>): string {
  const turns = currentTurns();
  if (turns === undefined) return run(source, scope, limits, resultText);
  const here = () => run(source, scope, limits, resultText);
  return turns.evaluate({ language: 'yaql', form: 'text', source, scope, limits }, here);
}

/** The syntax error of an expression, if any; `position` counts from its first character. */
export function yaqlProblem(source: string): ExpressionError | undefined {
  try {
    codeOf(source);
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
  const own = new YaqlBudget(limits === undefined ? undefined : { ...DEFAULT_YAQL_LIMITS, ...limits });
  const before = switchBudget(own);
  try {
    return finish(codeOf(source)(new Frame({ scope, library })));
  } catch (error) {
    throw error instanceof Interruption ? error : expressionError(error, source);
  } finally {
    own.settle();
    switchBudget(before);
  }
}

/** The compiled expression, from the cache where possible. @throws YaqlFailure for invalid syntax */
const codeOf = (source: string): Code => compiled.get(source, compileText);

const compileText = (source: string): Code => compile(parseYaqlExpression(source.trim()), library);

/** Prints a result inside a larger text as Python does: `None`, `True`, `[1, 'a']`, `2.0`. */
function resultText(value: unknown): string {
  if (value instanceof Frame) plainFromYaql(value);
  return outer.text(value);
}
