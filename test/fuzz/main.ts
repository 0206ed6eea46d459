// `npm run test:fuzz -- [--scale N] [--seed S] [--target NAME]`: gives every parser random and mutated inputs, 100,000 each
// at scale 1. It reports inputs that a parser neither accepts nor rejects, or that take too long, and then exits with 1.
import { parseArgs } from 'node:util';
import { supervise, type Supervised } from './supervise';
import { FUZZ_TARGETS, fuzzTarget } from './targets';

const INPUTS = 100_000;
/** The limit per defect. */
const EXAMPLES = 2;

function readArguments() {
  const { values } = parseArgs({
    options: {
      scale: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      target: { type: 'string' },
    },
  });
  const scale = Number(values.scale);
  const seed = Number(values.seed);
  if (!(scale > 0)) throw new Error(`--scale: expected a number above 0, got "${values.scale}"`);
  if (!Number.isInteger(seed)) throw new Error(`--seed: expected a whole number, got "${values.seed}"`);
  const targets = values.target === undefined ? FUZZ_TARGETS : [fuzzTarget(values.target)];
  return { count: Math.ceil(scale * INPUTS), seed, targets: targets.map(({ name }) => name) };
}

async function main(): Promise<void> {
  const { count, seed, targets } = readArguments();
  let defects = 0;
  for (const target of targets) {
    const start = performance.now();
    const outcome = await supervise(target, seed, count);
    print(target, count, outcome, (performance.now() - start) / 1000);
    defects += outcome.findings.length;
  }
  console.log(defects === 0 ? 'Every input was accepted or rejected.' : `${defects} inputs were not handled.`);
  process.exitCode = defects === 0 ? 0 : 1;
}

function print(target: string, count: number, { values, refusals, slowestMs, findings }: Supervised, seconds: number) {
  console.log(
    `${target}: ${count} inputs in ${seconds.toFixed(0)} s, ${values} accepted, ${refusals} rejected, slowest ${slowestMs.toFixed(0)} ms, ${findings.length} not handled`,
  );
  const byWhat = new Map<string, (typeof findings)[number][]>();
  for (const finding of findings) {
    const what = finding.kind === 'crash' ? `crash: ${finding.what}` : finding.kind;
    byWhat.set(what, [...(byWhat.get(what) ?? []), finding]);
  }
  for (const [what, alike] of byWhat) {
    console.log(`  ${alike.length} × ${what}`);
    for (const { index, input, what: detail } of alike.slice(0, EXAMPLES)) {
      console.log(`    #${index} (${detail.slice(0, 60)}): ${JSON.stringify(input.slice(0, 400))}`);
    }
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
