import { inspectText } from '@switchyard/expressions';
import type { Path } from '@switchyard/model';
import type { WorkflowSpec } from '../spec/model';
import type { Problem } from './finding';
import { siteTexts } from './site-texts';
import { openingSites, outputSites, taskSites, transitionSites, type TemplateSite } from './template-sites';

/** Expressions that cannot be parsed, and texts that mix both languages. */
export const expressionProblems = (spec: WorkflowSpec): Problem[] => allSites(spec).flatMap(problemsAt);

const allSites = (spec: WorkflowSpec): TemplateSite[] => [
  ...openingSites(spec),
  ...[...spec.tasks.values()].flatMap((task) => [
    ...taskSites(task),
    ...task.next.flatMap((transition, index) => transitionSites(task.name, index, transition)),
  ]),
  ...outputSites(spec),
];

const problemsAt = (site: TemplateSite): Problem[] =>
  siteTexts(site).flatMap(({ text, place }) =>
    inspectText(text).flatMap(({ language, expression, problem }) =>
      problem === undefined
        ? []
        : [{ message: problem, path: withoutIndex(site.path), schema: site.schema, place, type: language, expression }],
    ),
  );

/** As the interface has it, a broken expression in a list is said to be in the list; the line tells where. */
const withoutIndex = (path: Path): Path => (typeof path.at(-1) === 'number' ? path.slice(0, -1) : path);
