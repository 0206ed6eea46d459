import { compile } from './run/compile';
import type { Code } from './run/frame';
import type { Library } from './run/library';
import { parseExpression } from './syntax/parse';

const MAX_EXPRESSIONS = 2_000;
/** Longer sources are rarely met twice, and would fill the memory. */
const MAX_LENGTH = 10_000;

/** Compiled expressions by their source; the least recently used ones are forgotten. */
export class CompiledExpressions {
  private readonly known = new Map<string, Code>();

  constructor(
    private readonly library: Library,
    private readonly limit = MAX_EXPRESSIONS,
  ) {}

  get(source: string): Code {
    const found = this.known.get(source);
    if (found !== undefined) {
      this.known.delete(source);
      this.known.set(source, found);
      return found;
    }
    const code = compile(parseExpression(source.trim()), this.library);
    if (source.length <= MAX_LENGTH) this.keep(source, code);
    return code;
  }

  get size(): number {
    return this.known.size;
  }

  private keep(source: string, code: Code): void {
    this.known.set(source, code);
    if (this.known.size > this.limit) this.known.delete(this.known.keys().next().value as string);
  }
}
