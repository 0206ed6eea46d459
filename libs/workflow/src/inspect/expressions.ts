import { inspectText } from '@switchyard/expressions';
import type { ValuePath } from '@switchyard/model';
import type { WorkflowSpec } from '../spec/model';
import type { InspectionProblem } from './finding';
import { siteTexts, openingSites, outputSites, taskSites, transitionSites, type TemplateSite } from './template-sites';

/** Finds expressions that cannot be parsed, and texts that mix both languages. */
export const expressionProblems = (spec: WorkflowSpec): InspectionProblem[] => allSites(spec).flatMap(problemsAt);

const allSites = (spec: WorkflowSpec): TemplateSite[] => [
  ...openingSites(spec),
  ...[...spec.tasks.values()].flatMap((task) => [
    ...taskSites(task),
    ...task.next.flatMap((transition, index) => transitionSites(task.name, index, transition)),
  ]),
  ...outputSites(spec),
];

const problemsAt = (site: TemplateSite): InspectionProblem[] =>
  siteTexts(site).flatMap(({ text, place }) =>
    inspectText(text).flatMap(({ language, expression, problem }) =>
      problem === undefined
        ? []
        : [{ message: problem, path: withoutIndex(site.path), schema: site.schema, place, type: language, expression }],
    ),
  );

/** As in the reference, an invalid expression in a list is reported for the list; the line gives the exact place. */
const withoutIndex = (path: ValuePath): ValuePath => (typeof path.at(-1) === 'number' ? path.slice(0, -1) : path);
