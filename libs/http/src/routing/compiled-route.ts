import { isPlainObject } from '@switchyard/base';
import { compileSchema, type CompiledSchema } from '@switchyard/model';
import { bodyReader, type BodyLimits, type BodyReader } from '../request/read-body';
import { queryReader } from '../request/request-target';
import type { Route, RouteResponse } from './route';

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
    readBody: bodyReader(route, { ...limits, maxBodyBytes: route.maxBodyBytes ?? limits.maxBodyBytes }),
    checkAnswer: answerCheck(route),
  };
}

/** Checks a response, and the body of its request, against the declaration of the route. For tests. */
type AnswerCheck = (answer: RouteResponse, body: unknown) => RouteResponse;

/** @throws Error that describes the difference; for a list that is sent while it is read, when the item is read */
export function answerCheck({ operation, response, bodySchema }: Route): AnswerCheck {
  const given = lazily(() => compileSchema({ ...bodySchema }, { fillDefaults: false, allowNone: true }));
  const schemaOf = lazily(() => compiled(response?.schema ?? {}));
  const listSchema: { items?: object } | undefined = response?.schema;
  const itemOf = lazily(() => compiled(listSchema?.items ?? {}));
  const refuse = (problem: string) => {
    throw new Error(`${operation} gave a response that does not match its schema: ${problem}`);
  };
  const check = (schema: CompiledSchema, value: unknown) => {
    const problem = problemOf(schema, value);
    if (problem !== undefined) refuse(problem);
  };
  return (answer, sent) => {
    if (!isSuccess(answer.status) || !response) return answer;
    if (answer.status !== response.status) refuse(`status ${answer.status}`);
    // Only objects are checked; other bodies are texts and lists.
    if (bodySchema && isPlainObject(sent)) checkBody(operation, given(), sent);
    if (answer.body !== undefined) {
      if (!response.schema) refuse('a body');
      check(schemaOf(), answer.body);
    }
    return answer.items ? { ...answer, items: checkedItems(answer.items, (item) => check(itemOf(), item)) } : answer;
  };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const compiled = (schema: object): CompiledSchema =>
  compileSchema(closed(schema) as Record<string, unknown>, { fillDefaults: false });

/** Tests, unlike clients, must also find members that are not in the schema. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isPlainObject(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const isOpen = !isPlainObject(inner['properties']) || 'additionalProperties' in inner || inner['type'] !== 'object';
  return isOpen ? inner : { ...inner, additionalProperties: false };
}

function checkBody(operation: string, schema: CompiledSchema, body: unknown): void {
  const problem = problemOf(schema, body);
  if (problem !== undefined) throw new Error(`${operation} accepts a body that it does not describe: ${problem}`);
}

function problemOf(schema: CompiledSchema, value: unknown): string | undefined {
  // As the client receives it: without undefined members.
  const outcome = schema.check(JSON.parse(JSON.stringify(value)));
  if (outcome.ok) return undefined;
  const { path, message } = outcome.violation;
  return `/${path.join('/')}: ${message}`;
}

async function* checkedItems(
  batches: AsyncIterable<readonly unknown[]>,
  check: (item: unknown) => void,
): AsyncGenerator<readonly unknown[], void, undefined> {
  for await (const batch of batches) {
    batch.forEach(check);
    yield batch;
  }
}
