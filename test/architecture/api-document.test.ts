import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ADMINISTRATORS, ANY_USER } from '@switchyard/http';
import { resourceTypeOf } from '@switchyard/model';
import * as resources from '@switchyard/model/resources';
import { readJson, ROOT } from './workspace';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Content {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly 'x-permission'?: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

const document = readJson<{
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Content> };
}>('docs/openapi.json');
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

const lastPart = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
const resolvedSchema = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : document.components.schemas[lastPart(schema.$ref)]!;
const resolvedContent = (content: Content): Content =>
  content.$ref === undefined ? content : document.components.responses[lastPart(content.$ref)]!;
const schemasOf = (given: Content): Schema[] =>
  Object.values(resolvedContent(given).content ?? {}).map(({ schema }) => resolvedSchema(schema));

it.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s names the permission it needs, or needs no login',
  (_, { security, 'x-permission': permission }) => {
    if (permission === undefined) expect(security).toEqual([]);
    else if (permission !== ANY_USER && permission !== ADMINISTRATORS) expect(resourceTypeOf(permission)).toBeDefined();
  },
);

/** These respond with a redirect, so they have no body on success. */
const REDIRECTS = ['sso.request'];

it.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s describes its body, its success and its errors',
  (operationId, { requestBody, responses }) => {
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    expect(successes).toHaveLength(REDIRECTS.includes(operationId) ? 0 : 1);
    for (const [status, answer] of successes) expect(schemasOf(answer)).toHaveLength(status === '204' ? 0 : 1);
    const described = [requestBody ?? {}, ...Object.values(responses)].flatMap(schemasOf);
    expect(described.filter((schema) => Object.keys(schema).length === 0)).toEqual([]);
    expect(responses).toMatchObject({ '429': {}, '4XX': {}, '5XX': {} });
    for (const failure of ['429', '4XX', '5XX'])
      expect(schemasOf(responses[failure]!)[0]?.properties).toHaveProperty('faultstring');
  },
);

/** The operations with at most three properties in the response, with the reason. */
const SMALL: Readonly<Record<string, string>> = {
  'root.get': 'a version and an address',
  'sso.get': 'a flag and an address',
  'tokens.revoke_all': 'how many tokens were revoked',
  'tokens.validate': 'one flag',
  'sensor_type_log.get_one': 'lines, and where the next ones begin',
  'user.get': 'three objects',
  'service_registry_groups.get_all': 'a list of names',
  'service_registry_group_members.get_one': 'a list of processes',
  'roles.sync': 'three counts of changes',
  'purge.post': 'a count, and where to continue',
  'permission_types.get_all': 'texts by permission type, by resource type',
  'permission_types.get_one': 'texts by permission type',
  'config_schema.get_one': 'an id, a pack and its schema',
  'inquiries.put': 'the body of the request',
  'timers.get_next': 'a reference, a flag and times',
  'webhooks.post': 'the body of the request, which may be anything',
  'execution_attributes.get':
    'the value of one attribute: a result, which may be anything, a trigger instance or a status',
  'actions_views_parameters.get_one': 'the parameters by name',
  'action_alias.help': 'a count and a list',
  'action_alias_execution.match_and_execute': 'a list of started executions',
  'packs.delete': 'references by kind of content',
  'packs.unload': 'references by kind of content',
  'packs.register': 'counts by kind of content',
  'packs.install': 'the id of an execution',
  'packs.uninstall': 'the id of an execution',
  'packs_views_files.get_one': 'paths and texts of files',
  'packs_index.get_all': 'packs by name, and the statuses of the indexes',
  'packs_index_health.get': 'two objects',
  'trigger_instances.re_emit': 'a message and the payload',
  'trigger_instances.replay': 'a list and a count',
  'workflow_graph.post': 'tasks and transitions',
  'workflow_rehearsal.post': 'a flag, differences and an outcome',
};

/** The operations with a response that is not JSON, except for those without a body (204), with its content. */
const NOT_JSON: Readonly<Record<string, string>> = {
  'sso.callback_query': 'text/html',
  'sso.callback': 'text/html',
  'sso.terminal': 'text/html',
  'sso.terminal_confirm': 'text/html',
  'execution_output.get_one': 'text/plain',
  'actions_views_entry_point.get_one': 'text/plain',
  'execution_result.get_one': 'text/json',
  'packs_views_file.get_one': 'application/octet-stream',
  'stream.get_all': 'text/event-stream',
  'stream.execution_output': 'text/event-stream',
};

/** The largest number of properties in one of the forms of a schema. */
function propertiesOf(schema: Schema): number {
  const { anyOf, items, properties = {} } = resolvedSchema(schema);
  if (anyOf) return Math.max(...anyOf.map(propertiesOf));
  return items ? propertiesOf(items) : Object.keys(properties).length;
}

const successOf = ({ responses }: Operation): [type: string, schema: Schema][] =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2') && status !== '204')
    .flatMap(([, { content = {} }]) =>
      Object.entries(content).map(([type, { schema }]): [string, Schema] => [type, schema]),
    );

it('small answers and answers that are not JSON are listed with a reason', () => {
  const successes = operations.flatMap((operation) =>
    successOf(operation).map(([type, schema]) => ({ id: operation.operationId, type, schema })),
  );
  const json = successes.filter(({ type }) => type === 'application/json');
  const small = json.filter(({ schema }) => propertiesOf(schema) <= 3);
  expect(small.map(({ id }) => id).sort()).toEqual(Object.keys(SMALL).sort());
  const others = successes.filter(({ type }) => type !== 'application/json');
  expect(Object.fromEntries(others.map(({ id, type }) => [id, type]))).toEqual(NOT_JSON);
});

/** The name of every resource in responses of the API. */
const RESOURCES = Object.values(resources).flatMap((schema) =>
  typeof schema === 'object' && 'title' in schema ? [schema.title] : [],
);

it('every resource is a named schema, and no schema is described twice', () => {
  expect(RESOURCES.length).toBeGreaterThan(30);
  // For live actions, clients always get a selection of attributes.
  const names = new Set(Object.keys(document.components.schemas).map((name) => name.replace(/^Partial/, '')));
  expect(RESOURCES.filter((name) => !names.has(name))).toEqual([]);
  const texts = Object.values(document.components.schemas).map((schema) => JSON.stringify(schema));
  const long = texts.filter((text) => text.length > 300);
  const inline = JSON.stringify(document.paths);
  expect(long.filter((text) => inline.includes(text))).toEqual([]);
  expect(new Set(long).size).toBe(long.length);
});

/** TypeScript client code that uses the types generated from the document. */
const CLIENT = `
import type { components, paths } from './openapi';
type Answer<P extends keyof paths> = paths[P] extends { get: { responses: { 200: { content: { 'application/json': infer A } } } } } ? A : never;
type Action = components['schemas']['Action'];
export const action = (answer: Answer<'/api/v1/actions/{ref_or_id}'>): Action => answer;
export const started = (executions: Answer<'/api/v1/executions'>): (string | undefined)[] =>
  executions.map(({ start_timestamp: at }) => at);
export const conflict = (fault: components['schemas']['ConflictFault']): string | null | undefined => fault['conflict-id'];
// @ts-expect-error There is no such attribute.
export const color = (rule: components['schemas']['Rule']) => rule.color;
`;

it('the types that openapi-typescript generates from the document compile', () => {
  const folder = mkdtempSync(join(ROOT, '.cache/openapi-'));
  try {
    const made = join(folder, 'openapi.ts');
    const program = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');
    execFileSync(process.execPath, [program, join(ROOT, 'docs/openapi.json'), '-o', made], { stdio: 'pipe' });
    const client = join(folder, 'client.ts');
    writeFileSync(client, CLIENT);
    const options = { strict: true, noEmit: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2023 };
    const found = ts.getPreEmitDiagnostics(ts.createProgram([client], options));
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);
