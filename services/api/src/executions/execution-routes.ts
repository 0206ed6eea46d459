import type { Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { cancelExecutionRoute, changeExecutionRoute } from './change';
import { childrenRoute } from './children';
import { createExecutionRoute } from './create';
import { filterValuesRoute } from './filter-values-route';
import { getExecutionRoute } from './get';
import { graphRoute } from './graph';
import { listExecutionsRoute } from './list';
import { attributeRoute, outputRoute, resultRoute } from './parts';
import { rerunExecutionRoute } from './rerun';

/** `/executions`, also under its former name `/actionexecutions`. */
export const executionRoutes = (deps: ApiDependencies): Route[] =>
  [
    listExecutionsRoute,
    createExecutionRoute,
    filterValuesRoute,
    getExecutionRoute,
    changeExecutionRoute,
    cancelExecutionRoute,
    rerunExecutionRoute,
    childrenRoute,
    graphRoute,
    attributeRoute,
    outputRoute,
    resultRoute,
  ].map((make) => withFormerName(make(deps)));

const withFormerName = (route: Route): Route => ({
  ...route,
  aliases: [route.path.replace('/executions', '/actionexecutions')],
});
