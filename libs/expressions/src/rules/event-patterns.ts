import type { CompiledRule, CriteriaDocument, RuleEvent } from '@switchyard/model';
import type { DatastoreReader } from '../parameters/input';
import { compilePattern, type Pattern } from './render-pattern';
import { systemItems } from './system-items';

/** Renders the patterns of rules for one event. */
export interface EventPatterns {
  /** Starts rendering the patterns of a rule. */
  of(rule: CompiledRule): void;
  /** Marks the rule as finished: its rendered patterns are shared from now on. */
  answered(): void;
  /** @throws JinjaError, Interruption */
  render(text: string, document: CriteriaDocument): unknown;
}

/**
 * Rules with the same pattern share its result for the event. A pattern that sees the elements of a `search` is
 * rendered for each of them.
 */
export function eventPatterns(event: RuleEvent, reader: Pick<DatastoreReader, 'read'>): EventPatterns {
  const options = { datastore: reader.read };
  const rendered = new Map<string, unknown>();
  // An interrupted rule is evaluated again and renders the same patterns in the same order.
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

/** Compiled once per rule, and released with it. */
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
