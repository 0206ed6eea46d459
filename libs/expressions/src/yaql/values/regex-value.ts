import { isFault, messageOf } from '@switchyard/base';
import { guardedRegExp, type GuardedRegExp } from '@switchyard/model';
import { notInSlice } from '../../turns/slice';
import { budget } from '../run/budget';
import { YaqlFailure } from './failure';

/** A compiled regular expression in Python's syntax. */
export class RegexValue {
  private readonly matcher: GuardedRegExp;

  /** @throws YaqlFailure of kind `error` for an invalid pattern */
  constructor(
    readonly source: string,
    readonly flags = '',
  ) {
    // `d` records the indices of groups, which selectors see.
    this.matcher = guarded(() => guardedRegExp(source, `${flags}d`));
  }

  test(text: string): boolean {
    return guarded(() => this.matcherOf(text).test(text));
  }

  /** The first match at or after `from`, in UTF-16 units. */
  exec(text: string, from = 0): RegExpExecArray | null {
    return guarded(() => this.matcherOf(text).exec(text, from));
  }

  private matcherOf(text: string): GuardedRegExp {
    if (!this.matcher.isCheapOn(text)) notInSlice();
    return this.matcher;
  }

  /** All matches; an empty match directly after another counts, as in Python since 3.7. */
  *matches(text: string): Generator<RegExpExecArray> {
    for (let from = 0; from <= text.length;) {
      const match = this.exec(text, from);
      if (match === null) return;
      yield match;
      const end = match.index + match[0].length;
      from = match[0] === '' ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end;
    }
  }

  toString(): string {
    return `re.compile('${this.source}')`;
  }
}

/** An invalid or slow pattern fails the expression. */
function guarded<T>(work: () => T): T {
  budget().check();
  try {
    return work();
  } catch (error) {
    if (!isFault(error)) throw error;
    const slow = error.code === 'regex.too-slow';
    const reason = error.cause instanceof Error ? error.cause : error;
    throw new YaqlFailure(slow ? 'TimeLimitExceededException' : 'error', messageOf(reason), undefined, {
      cause: error,
    });
  }
}
