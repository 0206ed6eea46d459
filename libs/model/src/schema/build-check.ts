import { fault } from '@switchyard/base';
import { keywords } from './keywords';
import { resolvePointer } from './resolve-pointer';
import { schemaOf, type SchemaSite } from './schema-site';
import type { Check, Path, Schema } from './violation';

/**
 * Turns a schema into a function. Keywords run in the order in which they stand, which decides what is reported first.
 * References are followed when first used, so that they may be recursive.
 */
export function buildCheck(schema: unknown, allowNone: boolean): Check {
  const root = schemaOf(schema, []);
  const referred = new Map<string, Check>();
  return build(root, { path: [], nullable: false, secret: false });

  function build(given: unknown, { path, nullable, secret: above }: Place): Check {
    const schema = schemaOf(given, path);
    const secret = above || schema.secret === true;
    const below: SchemaSite['below'] = (sub, steps, nullable = false) =>
      build(sub, { path: [...path, ...steps], nullable, secret });
    return inOrder({
      schema,
      path,
      nullable,
      secret,
      allowNone,
      below,
      refer: (reference) => refer(reference, secret),
    });
  }

  function refer(reference: string, secret: boolean): Check {
    const key = `${secret}${reference}`;
    const target = resolvePointer(root, reference);
    return (value, run) => {
      const check = referred.get(key) ?? build(target, { path: [reference], nullable: false, secret });
      referred.set(key, check);
      check(value, run);
    };
  }
}

interface Place {
  readonly path: Path;
  readonly nullable: boolean;
  readonly secret: boolean;
}

function inOrder(site: SchemaSite): Check {
  const checks = effective(site.schema)
    .map(([name, setting]) => keywords.get(name)?.(setting, site))
    .filter((check) => check !== undefined);
  const { nullable } = site;
  return (value, run) => {
    if (nullable && value === null) return;
    if (--run.allowance.checks < 0) throw fault('schema.too-costly');
    for (const check of checks) check(value, run);
  };
}

/** Draft 4: beside a reference nothing else counts. */
const effective = (schema: Schema): [string, unknown][] =>
  '$ref' in schema ? [['$ref', schema.$ref]] : Object.entries(schema);
