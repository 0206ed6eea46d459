import { rounds } from '@switchyard/testkit/rounds';
import { parseWorkflow } from '@switchyard/workflow';
import { Chance } from './random/chance';
import { randomCalls } from './random/random-calls';
import { randomDefinition } from './random/random-definition';
import { RandomRun } from './random/random-run';

/** Set `WORKFLOW_SEED=7` for others. */
const ROUNDS = rounds(40);
const FIRST_SEED = Number(process.env['WORKFLOW_SEED'] ?? 1);

describe('random workflows', () => {
  it('end, run nothing twice, lose nothing, and behave the same when restored', () => {
    const found: string[] = [];
    const endings = new Set<string>();
    for (let seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed += 1) {
      const chance = new Chance(seed);
      const definition = randomDefinition(chance);
      const { status, complaints } = new RandomRun(parseWorkflow(definition), chance).run();
      endings.add(status);
      if (complaints.length > 0) found.push(`seed ${seed}: ${complaints[0]}`);
    }
    expect(found).toEqual([]);
    expect([...endings].sort()).toEqual(['canceled', 'failed', 'succeeded']);
  });

  it('accept or refuse any call, and answer the same when restored', () => {
    const found: string[] = [];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed += 1) {
      const chance = new Chance(seed);
      const definition = randomDefinition(chance);
      found.push(...randomCalls(parseWorkflow(definition), chance).map((text) => `seed ${seed}: ${text}`));
    }
    expect(found.filter((text) => text.includes('"changed"'))).toEqual([]);
    expect(found).toEqual([]);
  });
});
