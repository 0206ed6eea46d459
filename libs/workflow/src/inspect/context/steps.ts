import { variablesOf } from '@switchyard/expressions';
import type { Path } from '@switchyard/model';
import type { ExpressionLanguage, Problem } from '../finding';
import { siteTexts } from '../site-texts';
import type { TemplateSite } from '../template-sites';
import type { NameBits, NameSet } from './name-bits';

interface Use {
  readonly name: string;
  readonly bit: NameSet;
  readonly type: ExpressionLanguage;
  readonly expression: string;
  readonly place: Path;
}

/** One value that is evaluated: the variables that it reads, and the one that it sets. */
export interface Step {
  readonly site: TemplateSite;
  readonly uses: readonly Use[];
  readonly sets: NameSet;
}

export const stepsOf = (sites: readonly TemplateSite[], bits: NameBits): Step[] =>
  sites.map((site) => ({
    site,
    uses: usesAt(site, bits),
    sets: site.name === undefined || site.name === '' ? 0n : bits.of(site.name),
  }));

const usesAt = (site: TemplateSite, bits: NameBits): Use[] =>
  siteTexts(site).flatMap(({ text, place }) =>
    variablesOf(text).map(({ name, language, expression }) => ({
      name,
      bit: bits.of(name),
      type: language,
      expression,
      place,
    })),
  );

/** What is known behind the steps. */
export const afterSteps = (steps: readonly Step[], known: NameSet): NameSet =>
  steps.reduce((names, { sets }) => names | sets, known);

/** What the steps read without its being known; each sees what those before it set. */
export function stepProblems(steps: readonly Step[], known: NameSet): Problem[] {
  let names = known;
  return steps.flatMap(({ site, uses, sets }) => {
    const problems = uses.flatMap((use) => useProblem(use, site, names));
    names |= sets;
    return problems;
  });
}

function useProblem({ name, bit, type, expression, place }: Use, site: TemplateSite, known: NameSet): Problem[] {
  const message = name.startsWith('__') ? privateName(name) : (known & bit) === 0n ? unknownName(name) : undefined;
  return message === undefined ? [] : [{ message, path: site.path, schema: site.schema, place, type, expression }];
}

const unknownName = (name: string): string => `Variable "${name}" is referenced before assignment.`;

const privateName = (name: string): string =>
  `Variable "${name}" that is prefixed with double underscores is considered a private variable and cannot be referenced.`;
