import type { Arguments, Expression } from './nodes';
import { parseExpression } from './parse-expression';
import { syntaxError } from './token';
import type { TokenStream } from './token-stream';

/** `(a, b=1, *rest, **named)` */
export function parseArguments(stream: TokenStream): Arguments {
  stream.expect('operator', '(');
  const positional: Expression[] = [];
  const named: [string, Expression][] = [];
  let spread: Expression | undefined;
  let spreadNamed: Expression | undefined;
  while (!stream.is('operator', ')')) {
    if (positional.length + named.length > 0 || spread !== undefined || spreadNamed !== undefined) {
      stream.expect('operator', ',');
      if (stream.is('operator', ')')) break;
    }
    if (stream.skip('operator', '*')) spread = once(spread, parseExpression(stream));
    else if (stream.skip('operator', '**')) spreadNamed = once(spreadNamed, parseExpression(stream));
    else if (stream.current.kind === 'name' && stream.next.kind === 'operator' && stream.next.value === '=') {
      const name = stream.expectName();
      stream.take();
      named.push([name, parseExpression(stream)]);
    } else if (named.length > 0 || spreadNamed !== undefined) invalid();
    else positional.push(parseExpression(stream));
  }
  stream.expect('operator', ')');
  return { positional, named, spread, spreadNamed };
}

function once(known: Expression | undefined, value: Expression): Expression {
  return known === undefined ? value : invalid();
}

function invalid(): never {
  throw syntaxError('invalid syntax for function call expression');
}
