import { templateProblem } from '@switchyard/expressions';
import type { RuleRecord } from '@switchyard/model';

/**
 * Parameters of a rule's action that look like templates but are not. They are passed on unchanged, which authors do not
 * expect. The instance reports where they are, but not the text, which may be a secret.
 */
export function strangeTexts({ ref, action }: Pick<RuleRecord, 'ref' | 'action'>): string[] {
  return Object.entries(action.parameters ?? {}).flatMap(([name, value]) =>
    textsIn(value).flatMap((text) => {
      const problem = text.includes('{{') || text.includes('{%') ? templateProblem(text) : undefined;
      return problem === undefined
        ? []
        : [
            `The parameter "${name}" of rule "${ref}" is passed on as it is written, since it is no template: ${unquoted(problem, text)}`,
          ];
    }),
  );
}

const unquoted = (problem: string, text: string): string =>
  problem.replace(/(['"])(.*?)\1/gs, (quote, _mark, word: string) => (text.includes(word) ? "'…'" : quote));

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
