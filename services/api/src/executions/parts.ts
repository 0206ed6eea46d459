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

const compress = promisify(gzip);
const ATTRIBUTES = ['result', 'trigger_instance', 'status'] as const;
type AttributeName = (typeof ATTRIBUTES)[number];
const INDENT = 2;

export const attributeRoute = ({ executions }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/{id}/attribute/{attribute}',
    operation: 'execution_attributes.get',
    summary: 'One attribute of an execution: result, trigger_instance or status',
    permission: 'execution_view',
    response: { status: 200, schema: Type.Union([anyObject, statusSchema]) },
    async handle({ params: { id = '', attribute: name = '' } }) {
      if (!isAttribute(name)) throw fault('execution.attribute', { name, valid: ATTRIBUTES.join(', ') });
      requireId(id);
      const record = await findExecution(executions.records, id);
      const read: Record<AttributeName, () => unknown> = {
        status: () => record.status,
        trigger_instance: () => record.trigger_instance ?? {},
        result: async () => (await executions.results.load(record, false)) ?? {},
      };
      return { status: 200, body: await read[name]() };
    },
  });

const isAttribute = (name: string): name is AttributeName => (ATTRIBUTES as readonly string[]).includes(name);

/** On these paths, clients expect a 400 for a malformed id. @throws Fault `request.object-id` */
function requireId(id: string): void {
  if (!isId(id)) throw fault('request.object-id', { value: id });
}

export const outputRoute = ({ store, executions }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/{id}/output',
    operation: 'execution_output.get_one',
    summary: 'The output so far; "last" is the id of the newest execution',
    permission: 'execution_view',
    query: {
      output_type: { type: 'string', default: 'all', description: 'all, stdout, stderr, or other for the rest' },
    },
    response: { status: 200, type: 'text/plain' },
    async handle({ params, query }) {
      const { _id } = await findExecution(executions.records, params.id, ['_id']);
      const chunks: string[] = [];
      for await (const { data } of readOutput(store.output, _id, { type: query.output_type })) chunks.push(data);
      return { status: 200, text: chunks.join('') };
    },
  });

export const resultRoute = ({ executions }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/{id}/result',
    operation: 'execution_result.get_one',
    summary: 'The result as a file',
    permission: 'execution_view',
    query: {
      download: { type: 'boolean', default: false, description: 'Tell browsers to save it' },
      compress: { type: 'boolean', default: false, description: 'Compress the file with gzip' },
      pretty_format: { type: 'boolean', default: false, description: 'One value per line' },
    },
    response: { status: 200, type: 'text/json' },
    async handle({ params: { id = '' }, query }) {
      requireId(id);
      const record: ExecutionRecord | undefined = await executions.records.get(id);
      if (!record) throw fault('request.not-found');
      const stored = (await executions.results.text(record)) ?? '{}';
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
