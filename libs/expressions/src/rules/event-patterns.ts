import type { CompiledRule, CriteriaDocument, RuleEvent } from '@switchyard/model';
import type { DatastoreReader } from '../parameters/datastore-reader';
import { compilePattern, type Pattern } from './render-pattern';
import { systemItems } from './system-items';

/** The patterns of rules, for one event. */
export interface EventPatterns {
  /** Tells whose patterns are rendered next. */
  of(rule: CompiledRule): void;
  /** @throws JinjaError, MissingItem */
  render(text: string, document: CriteriaDocument): unknown;
}

/**
 * Rules with the same pattern share what it comes to for the event. What sees the elements of a `search` is rendered for each
 * of them.
 */
export function eventPatterns(event: RuleEvent, reader: Pick<DatastoreReader, 'read'>): EventPatterns {
  const options = { datastore: reader.read };
  const rendered = new Map<string, unknown>();
  let compiled: Map<string, Pattern> = new Map();
  const render = (pattern: Pattern, document: CriteriaDocument): unknown =>
    pattern.render(pattern.readsSystem ? { system: systemItems(reader), ...document } : document, options);
  return {
    of(rule) {
      compiled = patternsOf(rule);
    },
    render(text, document) {
      if (document === event.document && rendered.has(text)) return rendered.get(text);
      const pattern = patternOf(compiled, text);
      const value = render(pattern, document);
      if (document === event.document && pattern.steady) rendered.set(text, value);
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
