import type { Method, Route } from '@switchyard/http';
import { routeTree } from '../../src/routing/route-tree';

const at = (method: Method, path: string, aliases: string[] = []): Route => ({
  method,
  path,
  aliases,
  operation: `${method} ${path}`,
  summary: '',
  handle: () => ({ status: 200 }),
});

const tree = (routes: Route[]) => routeTree([{ prefixes: ['', '/v1'], routes }], (route) => route.operation);

const routes = tree([
  at('GET', '/'),
  at('GET', '/packs'),
  at('POST', '/packs/install'),
  at('GET', '/packs/{ref+}'),
  at('GET', '/packs/index/health'),
  at('GET', '/packs/views/file/{ref}/{path+}'),
  at('GET', '/executions/{id}', ['/actionexecutions/{id}']),
  at('PUT', '/executions/{id}'),
  at('GET', '/executions/{id}/attribute/{name}'),
  at('GET', '/executions/views/filters'),
]);

describe('a path', () => {
  it.each([
    ['GET', '', 'GET /', {}],
    ['GET', 'v1', 'GET /', {}],
    ['GET', 'packs', 'GET /packs', {}],
    ['GET', 'v1/packs', 'GET /packs', {}],
    ['GET', 'packs/core', 'GET /packs/{ref+}', { ref: 'core' }],
    ['GET', 'packs/core/x', 'GET /packs/{ref+}', { ref: 'core/x' }],
    ['GET', 'packs/index', 'GET /packs/{ref+}', { ref: 'index' }],
    ['GET', 'packs/index/health', 'GET /packs/index/health', {}],
    ['GET', 'packs/install', 'GET /packs/{ref+}', { ref: 'install' }],
    ['GET', 'packs/views/file/core/a/b.yaml', 'GET /packs/views/file/{ref}/{path+}', { ref: 'core', path: 'a/b.yaml' }],
    ['GET', 'executions/views', 'GET /executions/{id}', { id: 'views' }],
    ['GET', 'executions/views/filters', 'GET /executions/views/filters', {}],
    ['GET', 'executions/views/attribute/x', 'GET /executions/{id}/attribute/{name}', { id: 'views', name: 'x' }],
    ['GET', 'v1/actionexecutions/last', 'GET /executions/{id}', { id: 'last' }],
    ['PUT', 'executions/1', 'PUT /executions/{id}', { id: '1' }],
  ] as const)('%s /%s is %s', (method, path, operation, params) => {
    expect(routes.find(method, path === '' ? [] : path.split('/'))).toEqual({ target: operation, params });
  });

  it.each([
    ['GET', 'v2/packs'],
    ['GET', 'v1/v1/packs'],
    ['GET', 'V1/packs'],
    ['DELETE', 'packs'],
    ['GET', 'executions'],
    ['GET', 'executions//attribute/x'],
    ['GET', 'executions/1/2'],
    ['GET', '__proto__'],
    ['PATCH', 'packs'],
  ])('is unknown: %s /%s', (method, path) => {
    expect(routes.find(method as Method, path.split('/'))).toBeUndefined();
  });

  it('cannot be declared twice', () => {
    expect(() => tree([at('GET', '/a/{b}'), at('GET', '/a/{c}')])).toThrow('GET /a/{c} is declared twice');
  });

  it('can match the rest of the path only at its end', () => {
    expect(() => tree([at('GET', '/a/{b+}/c')])).toThrow('only the last segment');
  });
});
