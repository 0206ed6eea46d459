import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../system/system-process';

/** A JSON schema, as far as the fuzzer reads it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly method: string;
  /** With `{names}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly contentType: string; readonly schema: Schema };
}

interface Documented {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

type Node = Readonly<Record<string, unknown>>;

/** Every operation of the API document, with the components in place of the references to them. */
export function readOperations(): Operation[] {
  const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as Node;
  const { paths } = resolved(document, document) as { paths: Record<string, Record<string, Documented>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const [content] = Object.entries(requestBody?.content ?? {});
      const body = content && { contentType: content[0], schema: content[1].schema };
      return { method: method.toUpperCase(), path, parameters, ...(body && { body }) };
    }),
  );
}

function resolved(node: unknown, document: Node): unknown {
  if (Array.isArray(node)) return node.map((each) => resolved(each, document));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref: reference } = node as Node;
  if (typeof reference === 'string') return resolved(componentAt(reference, document), document);
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolved(value, document)]));
}

/** @param reference `#/components/schemas/Action` */
const componentAt = (reference: string, document: Node): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => (node as Node)[name], document);
