import type { TSchema } from '@sinclair/typebox';
import { compileSchema } from '@switchyard/model';
import { bodyReader, type BodyLimits, type BodyReader } from '../request/read-body';
import { queryReader } from '../request/read-query';
import type { Route, RouteResponse } from './route';

/** A route with everything that can be prepared before the first request. */
export interface CompiledRoute {
  readonly route: Route;
  readonly readQuery: ReturnType<typeof queryReader>;
  readonly readBody: BodyReader;
  /** What is wrong with an answer, where the route declares what it should be like. */
  readonly responseProblem: (response: RouteResponse) => string | undefined;
}

export function compileRoute(route: Route, limits: BodyLimits): CompiledRoute {
  return {
    route,
    readQuery: queryReader(route.query),
    readBody: bodyReader(route.body, { ...limits, maxBodyBytes: route.maxBodyBytes ?? limits.maxBodyBytes }),
    responseProblem: responseChecker(route.response),
  };
}

function responseChecker(declared: { status: number; schema: TSchema } | undefined): CompiledRoute['responseProblem'] {
  if (!declared) return () => undefined;
  return ({ status, body }) => {
    if (status !== declared.status || body === undefined) return undefined;
    // As it arrives: members that are undefined are not there.
    const arrived: unknown = JSON.parse(JSON.stringify(body));
    const outcome = compileSchema(declared.schema, { fillDefaults: false }).check(arrived);
    if (outcome.ok) return undefined;
    const { path, message } = outcome.violation;
    return `/${path.join('/')}: ${message}`;
  };
}
