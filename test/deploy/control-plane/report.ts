import { isDeepStrictEqual } from 'node:util';

/** What the steps of a scenario found. */
export interface Report {
  /** Runs a step and prints its name, what it notes, and what it finds. A step that throws ends the scenario. */
  step(name: string, run: (step: Step) => Promise<void>): Promise<void>;
  readonly counts: { passed: number; failed: number };
}

export interface Step {
  /** Adds a figure to the line of the step. */
  note(text: string): void;
  /** Finds a problem unless both values are equal. */
  equal(what: string, got: unknown, wanted: unknown): void;
}

export function createReport(): Report {
  const counts = { passed: 0, failed: 0 };
  return {
    counts,
    async step(name, run) {
      const notes: string[] = [];
      const problems: string[] = [];
      const begun = performance.now();
      const step: Step = {
        note: (text) => void notes.push(text),
        equal(what, got, wanted) {
          if (isDeepStrictEqual(got, wanted)) return;
          problems.push(`${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
        },
      };
      try {
        await run(step);
      } catch (error) {
        counts.failed++;
        console.log(`${name}: gave up`);
        throw error;
      }
      counts[problems.length === 0 ? 'passed' : 'failed']++;
      const seconds = Math.round((performance.now() - begun) / 1000);
      console.log(`${name}: ${[...notes, `${problems.length} problems`, `${seconds} s`].join(', ')}`);
      for (const problem of problems) console.log(`    ${problem}`);
    },
  };
}
