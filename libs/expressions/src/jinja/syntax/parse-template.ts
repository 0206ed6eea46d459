import { lex } from './lex';
import type { Body, Statement } from './nodes';
import { parseTuple } from './parse-primary';
import { parseStatement } from './parse-statement';
import { TokenStream } from './token-stream';
import { syntaxError } from './token';

/** Parses a template. @throws JinjaError of kind TemplateSyntaxError */
export function parseTemplate(source: string): Body {
  try {
    return parseBody(new TokenStream(lex(source)), []);
  } catch (error) {
    if (error instanceof RangeError) throw syntaxError('the template is nested too deeply');
    throw error;
  }
}

/** Statements until a block that starts with one of the names in `until` (which stays unread), or the end of the text. */
export function parseBody(stream: TokenStream, until: readonly string[]): Body {
  const body: Statement[] = [];
  while (!stream.is('eof')) {
    if (stream.is('data')) body.push({ kind: 'data', text: String(stream.take().value) });
    else if (stream.skip('variable_begin')) {
      body.push({ kind: 'output', value: parseTuple(stream) });
      stream.expect('variable_end');
    } else {
      stream.expect('block_begin');
      if (stream.isOneOf('name', until)) return body;
      body.push(parseStatement(stream));
      stream.expect('block_end');
    }
  }
  return until.length === 0 ? body : unfinished(until);
}

function unfinished(until: readonly string[]): never {
  const names = until.map((name) => `'${name}'`).join(' or ');
  throw syntaxError(`Unexpected end of template. Jinja was looking for the following tags: ${names}.`);
}
