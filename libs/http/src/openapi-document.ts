import type { DeclaredResponse, Method, Mount, Route } from './routing/route';
import type { QueryParameter } from './request/read-query';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of routes. Paths start with `prefix`, such as `/v1`. */
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

/** A route that serves the document of other routes, without credentials. */
export const openApiRoute = (mount: Mount, info: OpenApiInfo): Route => {
  let text: string | undefined;
  return {
    method: 'GET',
    path: '/openapi.json',
    operation: 'openapi.get',
    summary: 'This document',
    open: true,
    response: { status: 200, schema: { type: 'object', additionalProperties: true } },
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

/** All faults have a `faultstring`. The other members depend on the error; there may be more than these. */
const FAULT = {
  type: 'object',
  required: ['faultstring'],
  properties: {
    faultstring: { type: 'string', description: 'What went wrong' },
    field: {
      type: 'string',
      description: 'Path of the value in the body or the parameters that does not match its schema',
    },
    'conflict-id': { type: ['string', 'null'], description: 'Id of the record that already has the key' },
    failures: { type: 'array', items: { type: 'object' }, description: 'The problems of a registration' },
    retry_after: { type: 'integer', description: 'Seconds after which to retry' },
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
    ...(route.body !== undefined && withBody.includes(route.method)
      ? { requestBody: requestBody(route.body, route.bodySchema) }
      : {}),
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

function requestBody(body: NonNullable<Route['body']>, described: object = {}): Json {
  if (body === 'text') return { content: { 'text/plain': { schema: { type: 'string' } } } };
  return { content: { 'application/json': { schema: body === 'any' ? described : body } } };
}

function responses({ response, open }: Route): Json {
  const failure = {
    description: 'Failure',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Fault' } } },
  };
  const failures = { '4XX': failure, '5XX': failure, ...(open ? {} : { '401': failure }) };
  // An operation without a success does nothing but refuse.
  return response ? { [String(response.status)]: success(response), ...failures } : failures;
}

function success({ schema, type }: DeclaredResponse): Json {
  if (schema) return { description: 'Success', content: { 'application/json': { schema } } };
  if (type === undefined) return { description: 'Success, without a body' };
  const isText = type.startsWith('text/');
  return {
    description: 'Success',
    content: { [type]: { schema: { type: 'string', ...(isText ? {} : { format: 'binary' }) } } },
  };
}

/** What the root of a service returns. */
export interface About {
  readonly version: string;
  readonly docsUrl: string;
}

/** `GET /`: the version and the address of the documentation. It needs credentials like other paths. */
export const indexRoute = ({ version, docsUrl }: About): Route => ({
  method: 'GET',
  path: '/',
  operation: 'root.get',
  summary: 'Version of the service',
  response: { status: 200, schema: VERSION },
  handle: () => ({ status: 200, body: { version, docs_url: docsUrl } }),
});

const VERSION = {
  type: 'object',
  required: ['version', 'docs_url'],
  properties: { version: { type: 'string' }, docs_url: { type: 'string' } },
};
