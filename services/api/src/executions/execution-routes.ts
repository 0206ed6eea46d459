import type { Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { cancelExecutionRoute, changeExecutionRoute, rerunExecutionRoute } from './change';
import { childrenRoute } from './children';
import { createExecutionRoute } from './create';
import { filterValuesRoute } from './filter-values';
import { getExecutionRoute, listExecutionsRoute } from './read';
import { graphRoute } from './graph';
import { attributeRoute, outputRoute, resultRoute } from './parts';
import { statisticsRoute } from './statistics-route';
import { taskContextRoute } from './task-context';

/** `/executions`, also under its former name `/actionexecutions`. */
export const executionRoutes = (deps: ApiDependencies): Route[] =>
  [
    listExecutionsRoute,
    createExecutionRoute,
    filterValuesRoute,
    statisticsRoute,
    getExecutionRoute,
    changeExecutionRoute,
    cancelExecutionRoute,
    rerunExecutionRoute,
    childrenRoute,
    graphRoute,
    taskContextRoute,
    attributeRoute,
    outputRoute,
    resultRoute,
  ].map((make) => withFormerName(make(deps)));

const withFormerName = (route: Route): Route => ({
  ...route,
  aliases: [route.path.replace('/executions', '/actionexecutions')],
});
