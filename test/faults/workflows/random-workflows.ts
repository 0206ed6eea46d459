import { flatFindings, inspectWorkflow } from '@switchyard/workflow';
import { randomFrom } from '../random';
import { Chance } from './chance';
import { expectedOutcome, type Outcome } from './expectation';
import { PACK } from './names';
import { randomDefinition, type Definition } from './random-definition';

export interface RandomWorkflow {
  readonly name: string;
  /** The reference of its action. */
  readonly ref: string;
  readonly definition: Definition;
  readonly expected: Outcome;
}

/** Fewer actions show little; more take too long. */
const FEWEST_ACTIONS = 3;
const MOST_ACTIONS = 40;

/** Workflows whose outcome does not depend on the order in which their actions end; the same for the same seed. */
export function randomWorkflows(count: number, seed: number): RandomWorkflow[] {
  const chance = new Chance(randomFrom(seed));
  const workflows: RandomWorkflow[] = [];
  while (workflows.length < count) {
    const definition = randomDefinition(chance);
    const expected = isSound(definition) ? expectedOutcome(definition, chance) : undefined;
    const actions = Object.values(expected?.actions ?? {}).reduce((sum, times) => sum + times, 0);
    if (!expected || actions < FEWEST_ACTIONS || actions > MOST_ACTIONS) continue;
    const name = `random_${workflows.length}`;
    workflows.push({ name, ref: `${PACK}.${name}`, definition, expected });
  }
  return workflows;
}

/** Only sound definitions can start. */
const isSound = (definition: Definition): boolean =>
  flatFindings(inspectWorkflow(definition, { context: ['st2', 'parent'] })).length === 0;
