import { variablesOf } from '@switchyard/expressions';
import type { ValuePath } from '@switchyard/model';
import type { ExpressionLanguage, InspectionProblem } from '../finding';
import { siteTexts, type TemplateSite } from '../template-sites';

interface Use {
  readonly name: string;
  readonly bit: NameSet;
  readonly type: ExpressionLanguage;
  /** The whole text. */
  readonly expression: string;
  readonly place: ValuePath;
}

/** One evaluated value: the variables that it reads, and the one that it sets. */
export interface InspectedStep {
  readonly site: TemplateSite;
  readonly uses: readonly Use[];
  readonly sets: NameSet;
}

export const stepsOf = (sites: readonly TemplateSite[], bits: NameBits): InspectedStep[] =>
  sites.map((site) => ({
    site,
    uses: usesAt(site, bits),
    sets: site.name === undefined || site.name === '' ? 0n : bits.of(site.name),
  }));

/** As in the reference, once for each text and by name. */
function usesAt(site: TemplateSite, bits: NameBits): Use[] {
  const uses = siteTexts(site).flatMap(({ text, place }) =>
    variablesOf(text).map(({ name, language }) => ({
      name,
      bit: bits.of(name),
      type: language,
      expression: text,
      place,
    })),
  );
  const distinct = new Map(uses.map((use) => [JSON.stringify([use.name, use.type, use.expression]), use] as const));
  return [...distinct.values()].sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

/** The names known after the steps. */
export const afterSteps = (steps: readonly InspectedStep[], known: NameSet): NameSet =>
  steps.reduce((names, { sets }) => names | sets, known);

/** Reads of unknown names; each step sees what those before it set. */
export function stepProblems(steps: readonly InspectedStep[], known: NameSet): InspectionProblem[] {
  let names = known;
  return steps.flatMap(({ site, uses, sets }) => {
    const problems = uses.flatMap((use) => useProblem(use, site, names));
    names |= sets;
    return problems;
  });
}

function useProblem(
  { name, bit, type, expression, place }: Use,
  site: TemplateSite,
  known: NameSet,
): InspectionProblem[] {
  const messages = [
    ...(name.startsWith('__') ? [privateName(name)] : []),
    ...((known & bit) === 0n ? [unknownName(name)] : []),
  ];
  return messages.map((message) => ({ message, path: site.path, schema: site.schema, place, type, expression }));
}

const unknownName = (name: string): string => `Variable "${name}" is referenced before assignment.`;

const privateName = (name: string): string =>
  `Variable "${name}" that is prefixed with double underscores is considered a private variable and cannot be referenced.`;

/** Sets of variable names as bit sets, which are cheap to store, merge and compare. */
export type NameSet = bigint;

export class NameBits {
  private readonly bits = new Map<string, NameSet>();

  of(name: string): NameSet {
    const known = this.bits.get(name);
    if (known !== undefined) return known;
    const bit = 1n << BigInt(this.bits.size);
    this.bits.set(name, bit);
    return bit;
  }

  all(names: readonly string[]): NameSet {
    return names.reduce((set, name) => set | this.of(name), 0n);
  }
}
