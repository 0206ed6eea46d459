import { evaluate, workflowFunctions, type ExpressionScope, type WorkflowView } from '@switchyard/expressions';
import type { Example } from './expression-examples';
import { percentiles } from './measure';
import { heldMb } from './pure-measure';

const OFTEN = 400;
const SELDOM = 2;

/**
 * Measures one evaluation of each expression in microseconds: cached and uncached, with a small context and with a list of
 * 10,000 hosts.
 * @param scale factor for the number of evaluations
 */
export function expressionScenario(examples: readonly Example[], scale: number): void {
  const before = heldMb();
  console.table(examples.map((example) => measureExample(example, scale)));
  const kept = heldMb() - before;
  console.log(`Microseconds, medians of ${BATCHES} batches. The caches hold ${kept.toFixed(1)} MB afterwards.`);
}

function measureExample({ text, isLong = false }: Example, scale: number) {
  const often = Math.max(SELDOM, Math.ceil(OFTEN * scale));
  const same = () => text;
  return {
    expression: text,
    cached: microseconds(same, SMALL, often),
    uncached: microseconds(() => another(text), SMALL, often),
    'cached, large context': microseconds(same, LARGE, isLong ? SELDOM : often),
  };
}

const BATCHES = 50;

/** The time of one evaluation, as the median of several batches after as many for warm-up. */
function microseconds(textOf: () => string, scope: ExpressionScope, batch: number): string {
  const times: number[] = [];
  for (let round = 0; round < BATCHES * 2; round += 1) {
    const texts = Array.from({ length: batch }, textOf);
    const start = performance.now();
    for (const text of texts) evaluate(text, scope);
    if (round >= BATCHES) times.push((performance.now() - start) / batch);
  }
  return (percentiles(times).p50 * 1000).toFixed(2);
}

let others = 0;

/** The same expression as a new text, with extra insignificant blanks. */
function another(text: string): string {
  others += 1;
  const blanks = [...others.toString(3)].map((digit) => ' \t\n'[Number(digit)]).join('');
  return text.replaceAll(/\b(ctx|succeeded)\(/g, `$&${blanks}`);
}

const variables = (hosts: number) => ({
  name: 'web',
  count: 5,
  limits: { cpu: 4, memory: { mb: 512 } },
  hosts: Array.from({ length: hosts }, (_, at) => ({
    ...{ name: `host${at}`, up: at % 3 !== 0, port: 8000 + at },
    tags: ['a', 'b'],
  })),
});

const SMALL = scopeOf(variables(5));
const LARGE = scopeOf(variables(10_000));

function scopeOf(of: Readonly<Record<string, unknown>>): ExpressionScope {
  const result = { stdout: 'done', return_code: 0, items: [1, 2, 3] };
  const view: WorkflowView = {
    variables: of,
    currentTask: { id: 'task1', route: 0, status: 'succeeded', result },
    taskStatus: () => 'succeeded',
  };
  return { variables: of, functions: workflowFunctions(view) };
}
