import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { readJson, ROOT } from './workspace';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

const { paths } = readJson<{ paths: Record<string, Record<string, Operation>> }>('docs/openapi.json');
const operations = Object.values(paths).flatMap((path) => Object.values(path));
const schemasOf = ({ content = {} }: Content): object[] => Object.values(content).map(({ schema }) => schema);

/** Single sign-on is off, so these only refuse requests. */
const REFUSED = ['sso.request', 'sso.callback'];

it.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s describes its body, its success and its errors',
  (operationId, { requestBody, responses }) => {
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    expect(successes).toHaveLength(REFUSED.includes(operationId) ? 0 : 1);
    for (const [status, answer] of successes) expect(schemasOf(answer)).toHaveLength(status === '204' ? 0 : 1);
    const described = [requestBody ?? {}, ...Object.values(responses)].flatMap(schemasOf);
    expect(described.filter((schema) => Object.keys(schema).length === 0)).toEqual([]);
    expect(responses).toMatchObject({ '4XX': {}, '5XX': {} });
  },
);

/** TypeScript client code that uses the types generated from the document. */
const CLIENT = `
import type { paths } from './openapi';
type Answer<P extends keyof paths> = paths[P] extends { get: { responses: { 200: { content: { 'application/json': infer A } } } } } ? A : never;
export const ref = (action: Answer<'/api/v1/actions/{ref_or_id}'>): string => action.ref;
export const started = (executions: Answer<'/api/v1/executions'>): (string | undefined)[] =>
  executions.map(({ start_timestamp: at }) => at);
// @ts-expect-error There is no such attribute.
export const color = (rule: Answer<'/api/v1/rules/{ref_or_id}'>) => rule.color;
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
