import { TextCache } from '../jinja/text-cache';
import { compile } from './run/compile';
import type { Code } from './run/frame';
import type { Library } from './run/library';
import { parseExpression } from './syntax/parse';

/** Compiled expressions by their source. */
export class CompiledExpressions {
  private readonly known = new TextCache<Code>();
  private readonly compile: (source: string) => Code;

  constructor(library: Library) {
    this.compile = (source) => compile(parseExpression(source.trim()), library);
  }

  /** @throws for what is no expression */
  get(source: string): Code {
    return this.known.get(source, this.compile);
  }
}
