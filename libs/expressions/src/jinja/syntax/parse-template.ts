import { lex } from './lex';
import type { TemplateBody, Statement } from './nodes';
import { parseTuple } from './parse-primary';
import { parseStatement } from './parse-statement';
import { TokenStream, syntaxError } from './token-stream';

/** Parses a template. @throws JinjaError of kind TemplateSyntaxError */
export function parseTemplate(source: string): TemplateBody {
  try {
    return parseBody(new TokenStream(lex(source)), []);
  } catch (error) {
    if (error instanceof RangeError) throw syntaxError('the template is nested too deeply');
    throw error;
  }
}

/** Parses statements up to a block that starts with one of `until` (not consumed), or to the end. */
export function parseBody(stream: TokenStream, until: readonly string[]): TemplateBody {
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
  const block = until.find((name) => name.startsWith('end'))!.slice('end'.length);
  throw syntaxError(
    `Unexpected end of template. Jinja was looking for the following tags: ${names}. The innermost block that needs to be closed is '${block}'.`,
  );
}
