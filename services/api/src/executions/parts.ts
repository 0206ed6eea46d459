import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { fault, isId } from '@switchyard/base';
import { readOutput } from '@switchyard/executions';
import { route, type Route, type RouteResponse } from '@switchyard/http';
import type { ExecutionRecord } from '@switchyard/model';
import { anyObject } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { statusSchema } from './execution-body';
import { findExecution } from './execution-answer';
import { guardedExecution } from './execution-permissions';

const compress = promisify(gzip);
const ATTRIBUTES = ['result', 'trigger_instance', 'status'] as const;
type AttributeName = (typeof ATTRIBUTES)[number];
const INDENT = 2;

export const attributeRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/{id}/attribute/{attribute}',
    operation: 'execution_attributes.get',
    summary: 'One attribute of an execution: result, trigger_instance or status',
    permission: 'execution_view',
    resource: guardedExecution(deps),
    response: { status: 200, schema: Type.Union([anyObject, statusSchema]) },
    async handle(request) {
      const { id, attribute: name } = request.params;
      if (!isAttribute(name)) throw fault('execution.attribute', { name, valid: ATTRIBUTES.join(', ') });
      requireId(id);
      const record = await findExecution(deps, request);
      const read: Record<AttributeName, () => unknown> = {
        status: () => record.status,
        trigger_instance: () => record.trigger_instance ?? {},
        result: async () => (await deps.executions.results.load(record, false)) ?? {},
      };
      return { status: 200, body: await read[name]() };
    },
  });

const isAttribute = (name: string): name is AttributeName => (ATTRIBUTES as readonly string[]).includes(name);

/** On these paths, clients expect a 400 for a malformed id. @throws Fault `request.object-id` */
function requireId(id: string): void {
  if (!isId(id)) throw fault('request.object-id', { value: id });
}

export const outputRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/{id}/output',
    operation: 'execution_output.get_one',
    summary: 'The output so far; "last" is the id of the newest execution',
    permission: 'execution_view',
    resource: guardedExecution(deps),
    query: {
      output_type: { type: 'string', default: 'all', description: 'all, stdout, stderr, or other for all other types' },
    },
    response: { status: 200, type: 'text/plain' },
    async handle(request) {
      const { _id } = await findExecution(deps, request, ['_id']);
      const chunks: string[] = [];
      for await (const { data } of readOutput(deps.store.output, _id, { type: request.query.output_type }))
        chunks.push(data);
      return { status: 200, text: chunks.join('') };
    },
  });

export const resultRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/{id}/result',
    operation: 'execution_result.get_one',
    summary: 'The result as a file',
    permission: 'execution_view',
    resource: guardedExecution(deps),
    query: {
      download: { type: 'boolean', default: false, description: 'Tell browsers to save it' },
      compress: { type: 'boolean', default: false, description: 'Compress the file with gzip' },
      pretty_format: { type: 'boolean', default: false, description: 'One value per line' },
    },
    response: { status: 200, type: 'text/json' },
    async handle({ params: { id = '' }, query }) {
      requireId(id);
      const record: ExecutionRecord | undefined = await deps.executions.records.get(id);
      if (!record) throw fault('request.not-found');
      const stored = (await deps.executions.results.text(record)) ?? '{}';
      const text = query.pretty_format ? JSON.stringify(JSON.parse(stored), undefined, INDENT) : stored;
      return resultFile(id, text, query);
    },
  });

async function resultFile(
  id: string,
  text: string,
  { download, compress: compressed }: { download: boolean; compress: boolean },
): Promise<RouteResponse> {
  const name = `execution_${id}_result.json${compressed ? '.gz' : ''}`;
  const disposition = download ? { 'Content-Disposition': `attachment; filename=${name}` } : {};
  if (!compressed) return { status: 200, text, headers: { ...disposition, 'Content-Type': 'text/json' } };
  const headers = { ...disposition, 'Content-Type': 'application/x-gzip', 'Content-Encoding': 'gzip' };
  return { status: 200, bytes: await compress(text), headers };
}
