import type { Method, Mount, Route } from '../routing/route';
import type { QueryParameter } from '../request/query-parameter';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of routes. Paths carry `prefix`, such as `/v1`. */
export function openApiDocument(routes: readonly Route[], info: OpenApiInfo, prefix = ''): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = `${prefix}${route.path.replace('+}', '}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info,
    security: [{ token: [] }, { apiKey: [] }],
    paths,
    components: { securitySchemes: SECURITY, schemas: { Fault: FAULT } },
  };
}

/** Serves the document of a table of routes, without credentials. */
export const openApiRoute = (mount: Mount, info: OpenApiInfo): Route => {
  let text: string | undefined;
  return {
    method: 'GET',
    path: '/openapi.json',
    operation: 'openapi.get',
    summary: 'This document',
    open: true,
    handle() {
      text ??= JSON.stringify(
        openApiDocument(mount.routes, info, mount.prefixes.find((prefix) => prefix !== '') ?? ''),
      );
      return { status: 200, text, headers: { 'Content-Type': 'application/json' } };
    },
  };
};

const SECURITY = {
  token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' },
  apiKey: { type: 'apiKey', in: 'header', name: 'Svc-Api-Key' },
};

/** Every fault has a text. What else there is depends on the error, and may be more than this. */
const FAULT = {
  type: 'object',
  required: ['faultstring'],
  properties: {
    faultstring: { type: 'string', description: 'What is wrong' },
    field: {
      type: 'string',
      description: 'Where in the body or the parameters a value stands that does not fit its schema',
    },
    'conflict-id': { type: ['string', 'null'], description: 'Id of the record that has the key already' },
    failures: { type: 'array', items: { type: 'object' }, description: 'Each problem of a registration' },
    retry_after: { type: 'integer', description: 'Seconds after which it may be tried again' },
  },
};

function operation(route: Route): Json {
  const withBody: readonly Method[] = ['POST', 'PUT', 'DELETE'];
  return {
    operationId: route.operation,
    summary: route.summary,
    tags: [route.operation.split('.')[0]],
    ...(route.open ? { security: [] } : {}),
    ...(route.permission ? { 'x-permission': route.permission } : {}),
    parameters: [...pathParameters(route.path), ...queryParameters(route)],
    ...(route.body !== undefined && withBody.includes(route.method) ? { requestBody: requestBody(route.body) } : {}),
    responses: responses(route),
  };
}

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const queryParameters = ({ query = {} }: Route): Json[] =>
  Object.entries(query).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: parameter.required ?? false,
    ...(parameter.description ? { description: parameter.description } : {}),
    ...(parameter.type === 'list' ? { style: 'form', explode: false } : {}),
    schema: parameterSchema(parameter),
  }));

function parameterSchema({ type, enum: choices, minimum, maximum, default: preset }: QueryParameter): Json {
  const item = { type: 'string', ...(choices ? { enum: choices } : {}) };
  return {
    ...(type === 'list' ? { type: 'array', items: item } : type === 'string' ? item : { type }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(preset === undefined ? {} : { default: preset }),
  };
}

function requestBody(body: NonNullable<Route['body']>): Json {
  if (body === 'text') return { content: { 'text/plain': { schema: { type: 'string' } } } };
  return { content: { 'application/json': { schema: body === 'any' ? {} : body } } };
}

function responses({ response, open }: Route): Json {
  const status = String(response?.status ?? 'default');
  const success = response
    ? { description: 'Success', content: { 'application/json': { schema: response.schema } } }
    : { description: 'Success' };
  const failure = {
    description: 'Failure',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Fault' } } },
  };
  return { [status]: success, '4XX': failure, ...(open ? {} : { '401': failure }) };
}
