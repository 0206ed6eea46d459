import { templateProblem } from '@switchyard/expressions';
import type { RuleRecord } from '@switchyard/model';

/**
 * Texts among the parameters of a rule's action that look like templates and are none. They are handed on as they are, which
 * authors do not expect: the instance tells them, without a word of the text, which may be a secret.
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
