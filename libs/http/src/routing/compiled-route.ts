import { bodyReader, type BodyLimits, type BodyReader } from '../request/read-body';
import { queryReader } from '../request/read-query';
import { answerCheck, type AnswerCheck } from './check-answer';
import type { Route } from './route';

/** A route, prepared for requests. */
export interface CompiledRoute {
  readonly route: Route;
  readonly readQuery: ReturnType<typeof queryReader>;
  readonly readBody: BodyReader;
  readonly checkAnswer: AnswerCheck;
}

export function compileRoute(route: Route, limits: BodyLimits): CompiledRoute {
  return {
    route,
    readQuery: queryReader(route.query),
    readBody: bodyReader(route.body, { ...limits, maxBodyBytes: route.maxBodyBytes ?? limits.maxBodyBytes }),
    checkAnswer: answerCheck(route),
  };
}
