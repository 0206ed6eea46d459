import { FAILURES, namedSchemas } from './fault-schemas';
import { ANY_USER, type DeclaredResponse, type Method, type Mount, type Route } from '../routing/route';
import { attributeParameters } from '../lists/attributes';
import { pageParameters, sortParameter } from '../lists/page';
import type { QueryParameter } from '../request/request-target';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of routes. Paths start with the first prefix of their mount that is not empty. Schemas with a
 * `title` become components of that name.
 */
export function openApiDocument(mounts: readonly Mount[], info: OpenApiInfo): Json {
  const paths: Record<string, Json> = {};
  const named = namedSchemas();
  const responses = Object.fromEntries(
    Object.entries(FAILURES).map(([name, response]) => [name, named.refer(response)]),
  );
  for (const { prefixes, routes } of mounts) {
    const prefix = prefixes.find((each) => each !== '') ?? '';
    for (const route of routes) {
      const path = `${prefix}${route.path.replace('+}', '}')}`;
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: named.refer(operation(route)) };
    }
  }
  const parameters = Object.fromEntries(
    Object.entries(SHARED).map(([name, parameter]) => [name, queryParameter(name, parameter)] as const),
  );
  const components = { securitySchemes: SECURITY, parameters, responses, schemas: named.components() };
  return { openapi: '3.1.0', info, security: [{ token: [] }, { apiKey: [] }], paths, components };
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
      text ??= JSON.stringify(openApiDocument([mount], info));
      return { status: 200, text, headers: { 'Content-Type': 'application/json' } };
    },
  };
};

const SECURITY = {
  token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' },
  apiKey: { type: 'apiKey', in: 'header', name: 'Svc-Api-Key' },
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
  Object.entries(query).map(([name, parameter]) =>
    SHARED[name] === parameter ? { $ref: `#/components/parameters/${name}` } : queryParameter(name, parameter),
  );

/** The parameters that many lists have. */
const SHARED: Readonly<Record<string, QueryParameter>> = {
  ...sortParameter,
  ...pageParameters,
  ...attributeParameters,
};

const queryParameter = (name: string, parameter: QueryParameter): Json => ({
  name,
  in: 'query',
  required: parameter.required ?? false,
  ...(parameter.description ? { description: parameter.description } : {}),
  ...(parameter.type === 'list' ? { style: 'form', explode: false } : {}),
  schema: parameterSchema(parameter),
});

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

function responses({ response, body, open }: Route): Json {
  const failures = {
    ...(body === undefined ? {} : { '400': failed('Invalid'), '409': failed('Conflict') }),
    ...(open ? {} : { '401': failed('Unauthorized') }),
    '429': failed('Busy'),
    '4XX': failed('Failure'),
    '5XX': failed('Failure'),
  };
  // An operation without a success response refuses every request.
  return response ? { [String(response.status)]: success(response), ...failures } : failures;
}

const failed = (name: keyof typeof FAILURES) => ({ $ref: `#/components/responses/${name}` });

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
  permission: ANY_USER,
  forRestricted: true,
  summary: 'Version of the service',
  response: { status: 200, schema: VERSION },
  handle: () => ({ status: 200, body: { version, docs_url: docsUrl } }),
});

const VERSION = {
  title: 'About',
  type: 'object',
  required: ['version', 'docs_url'],
  properties: { version: { type: 'string' }, docs_url: { type: 'string' } },
};
