import { asFloat, asInt, type Numeric } from '../values/number';
import { repr } from '../values/text';
import { checkTokens, syntaxError, type JinjaToken, type JinjaTokenKind } from './token-stream';

const SPACE = /\s+/y;
const FLOAT = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy;
const INTEGER = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy;
const NAME = /[\p{L}_\p{Nl}][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const STRING = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/y;
const OPERATOR = /\/\/|\*\*|==|!=|>=|<=|[-+*/%~[\](){}><=.:|,;]/y;
/** The parser could not handle deeper nesting. */
const DEEPEST = 1_000;

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The token at a position, and where it ends. */
interface Step {
  readonly kind: JinjaTokenKind;
  readonly value: unknown;
  readonly end: number;
}

/**
 * Reads the tokens inside `{{ … }}` or `{% … %}` from `start` until `end` matches outside of all brackets. Returns the
 * position of that match.
 */
export function lexExpression(source: string, start: number, end: RegExp, out: JinjaToken[]): number {
  const open: string[] = [];
  let position = start;
  while (position < source.length) {
    end.lastIndex = position;
    if (open.length === 0 && end.test(source)) return position;
    SPACE.lastIndex = position;
    if (SPACE.test(source)) position = SPACE.lastIndex;
    else {
      const step = nextStep(source, position);
      if (step.kind === 'operator') balance(String(step.value), open);
      out.push({ kind: step.kind, value: step.value });
      checkTokens(out.length);
      position = step.end;
    }
  }
  return position;
}

function nextStep(source: string, position: number): Step {
  const match = (pattern: RegExp) => {
    pattern.lastIndex = position;
    return pattern.exec(source)?.[0];
  };
  const step = (kind: JinjaTokenKind, text: string, value: unknown): Step => ({
    kind,
    value,
    end: position + text.length,
  });
  let text = match(FLOAT);
  if (text !== undefined) return step('float', text, asFloat(Number(text.replaceAll('_', ''))));
  if ((text = match(INTEGER)) !== undefined) return step('integer', text, integerValue(text));
  if ((text = match(NAME)) !== undefined) return step('name', text, text);
  if ((text = match(STRING)) !== undefined) return step('string', text, unescape(text.slice(1, -1)));
  if ((text = match(OPERATOR)) !== undefined) return step('operator', text, text);
  throw syntaxError(`unexpected char ${repr(source[position])} at ${position}`);
}

const integerValue = (text: string): Numeric =>
  asInt(
    BigInt(
      text
        .replaceAll('_', '')
        .toLowerCase()
        .replace(/^0+(?=\d)/, ''),
    ),
  );

function balance(operator: string, open: string[]): void {
  const closing = CLOSING[operator];
  if (closing !== undefined) {
    if (open.length >= DEEPEST) throw syntaxError('the template is nested too deeply');
    open.push(closing);
  } else if (operator === ')' || operator === ']' || operator === '}') {
    const expected = open.pop();
    if (expected === undefined) throw syntaxError(`unexpected '${operator}'`);
    if (expected !== operator) throw syntaxError(`unexpected '${operator}', expected '${expected}'`);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v', '\\': '\\', "'": "'", '"': '"', '\n': '',
}; // oxfmt-ignore

/** Python's escapes. An unknown one keeps its backslash, so that `'\d'` works as a pattern. */
function unescape(body: string): string {
  if (!body.includes('\\')) return body;
  const pattern = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g;
  return body.replace(pattern, (all: string, x?: string, u?: string, U?: string, octal?: string, char?: string) => {
    if (char !== undefined) return ESCAPES[char] ?? all;
    const code = octal === undefined ? parseInt(x ?? u ?? U ?? '', 16) : parseInt(octal, 8);
    return code > 0x10ffff ? all : String.fromCodePoint(code);
  });
}
