import { rounds } from '@switchyard/testkit/rounds';
import { fuzzRange } from './fuzz-range';
import { FUZZ_TARGETS } from './targets';

// A small part of `npm run test:fuzz`, always with the same inputs.
describe.each(FUZZ_TARGETS.map((target) => [target.name, target] as const))('the parser of %s', (_, target) => {
  it('accepts or rejects any input', () => {
    const { findings, values, refusals } = fuzzRange(target, 1, [0, rounds(400)]);
    const defects = new Map(findings.map(({ what, input }) => [what, input.slice(0, 300)]));
    expect([...defects].slice(0, 10)).toEqual([]);
    expect(Math.min(values, refusals)).toBeGreaterThan(0);
  });
});
