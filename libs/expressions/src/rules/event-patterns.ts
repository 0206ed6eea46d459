import type { CompiledRule, CriteriaDocument, RuleEvent } from '@switchyard/model';
import type { DatastoreReader } from '../parameters/datastore-reader';
import { compilePattern, type Pattern } from './render-pattern';
import { systemItems } from './system-items';

/** The patterns of rules, for one event. */
export interface EventPatterns {
  /** Tells whose patterns are rendered next. */
  of(rule: CompiledRule): void;
  /** Tells that the rule has got all it asked for: what its patterns came to is shared from now on. */
  answered(): void;
  /** @throws JinjaError, Interruption */
  render(text: string, document: CriteriaDocument): unknown;
}

/**
 * Rules with the same pattern share what it comes to for the event. What sees the elements of a `search` is rendered for each
 * of them.
 */
export function eventPatterns(event: RuleEvent, reader: Pick<DatastoreReader, 'read'>): EventPatterns {
  const options = { datastore: reader.read };
  const rendered = new Map<string, unknown>();
  // A rule that is interrupted is asked anew, and then renders the same patterns in the same order.
  const own = new Map<string, unknown>();
  let compiled: Map<string, Pattern> = new Map();
  const render = (pattern: Pattern, document: CriteriaDocument): unknown =>
    pattern.render(pattern.readsSystem ? { system: systemItems(reader), ...document } : document, options);
  return {
    of(rule) {
      compiled = patternsOf(rule);
      own.clear();
    },
    answered() {
      for (const [text, value] of own) rendered.set(text, value);
    },
    render(text, document) {
      if (document === event.document) {
        if (rendered.has(text)) return rendered.get(text);
        if (own.has(text)) return own.get(text);
      }
      const pattern = patternOf(compiled, text);
      const value = render(pattern, document);
      if (document === event.document && pattern.steady) own.set(text, value);
      return value;
    },
  };
}

/** Prepared once, and forgotten with the rule. */
const known = new WeakMap<CompiledRule, Map<string, Pattern>>();

function patternsOf(rule: CompiledRule): Map<string, Pattern> {
  const before = known.get(rule);
  if (before) return before;
  const patterns = new Map<string, Pattern>();
  known.set(rule, patterns);
  return patterns;
}

function patternOf(patterns: Map<string, Pattern>, text: string): Pattern {
  let pattern = patterns.get(text);
  if (!pattern) patterns.set(text, (pattern = compilePattern(text)));
  return pattern;
}
