import { messageOf } from '@switchyard/base';
import type { CriterionEnv, CriterionProblem } from '../criteria';
import type { RuleRecord } from '../records/rule-records';
import { compileSteps } from './compile-steps';
import { parseCorrelation, type Correlation } from './correlation';
import { leadingEqualities, type Equality } from './equalities';
import type { RuleEvent } from './event';

/** A rule that can be asked about payloads. */
export interface CompiledRule {
  readonly record: RuleRecord;
  /** Asked only when no other rule of the trigger matches. */
  readonly backstop: boolean;
  readonly correlation?: Correlation;
  readonly equalities: readonly Equality[];
  /** Whether the criteria hold. Never throws for anything that stands in the rule or the payload. */
  readonly test: (event: RuleEvent, env: CriterionEnv) => boolean;
}

/** @param isTemplate tells texts that have to be rendered */
export function compileRule(record: RuleRecord, isTemplate: (text: string) => boolean): CompiledRule {
  const backstop = record.type?.ref === 'backstop';
  try {
    const steps = compileSteps(record.criteria ?? {}, isTemplate);
    const test = (event: RuleEvent, env: CriterionEnv): boolean =>
      steps.length === 0 || (!event.isEmpty && steps.every((step) => step(event, env)));
    const correlation = parseCorrelation(record.correlation);
    const equalities = leadingEqualities(record.criteria ?? {}, isTemplate);
    return { record, backstop, test, equalities, ...(correlation ? { correlation } : {}) };
  } catch (error) {
    return { record, backstop, equalities: [], test: telling({ kind: 'operator', reason: messageOf(error) }) };
  }
}

/** A rule that makes no sense matches nothing, and says so each time. */
const telling =
  (problem: CriterionProblem): CompiledRule['test'] =>
  (_event, env) => {
    env.problem?.(problem);
    return false;
  };
