import { keywords } from './keywords';
import { resolvePointer } from './resolve-pointer';
import { marksSecrets, subschemaOf, type SchemaSite } from './schema-site';
import type { Check, ValuePath, Schema } from './violation';

/**
 * Compiles a schema to a function. Keywords run in their given order, which determines the first violation. References are
 * resolved at their first use, so that they may be recursive.
 */
export function buildCheck(schema: unknown, allowNone: boolean): Check {
  const root = subschemaOf(schema, []);
  const referred = new Map<string, Check>();
  return build(root, { path: [], nullable: false, secret: false, allowNone });

  function build(given: unknown, { path, nullable, secret: above, allowNone }: Place): Check {
    const schema = subschemaOf(given, path);
    const secret = above || schema.secret === true;
    const below: SchemaSite['below'] = (sub, steps, { nullable = false, allowNone = false } = {}) =>
      build(sub, { path: [...path, ...steps], nullable, secret, allowNone });
    return inOrder({
      schema,
      path,
      nullable,
      secret,
      hides: (value) => !isEmpty(value) && (secret || (mayHoldMembers(value) && marksSecrets(schema, root))),
      allowNone,
      below,
      refer: (reference) => refer(reference, secret),
    });
  }

  function refer(reference: string, secret: boolean): Check {
    const key = `${secret}${reference}`;
    const target = resolvePointer(root, reference);
    return (value, run) => {
      const check =
        referred.get(key) ?? build(target, { path: [reference], nullable: false, secret, allowNone: false });
      referred.set(key, check);
      check(value, run);
    };
  }
}

/** A text in place of an object may be that object in JSON. */
const mayHoldMembers = (value: unknown): boolean =>
  typeof value === 'object' || (typeof value === 'string' && /^\s*[[{]/.test(value));

/** Empty values contain no secret. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

interface Place {
  readonly path: ValuePath;
  readonly nullable: boolean;
  readonly secret: boolean;
  readonly allowNone: boolean;
}

function inOrder(site: SchemaSite): Check {
  const checks = effective(site.schema)
    .map(([name, setting]) => keywords.get(name)?.(setting, site))
    .filter((check) => check !== undefined);
  const { nullable } = site;
  return (value, run) => {
    if (nullable && value === null) return;
    run.allowance.spend();
    for (const check of checks) check(value, run);
  };
}

/** In draft 4, a reference overrides all other keywords. */
const effective = (schema: Schema): [string, unknown][] =>
  '$ref' in schema ? [['$ref', schema.$ref]] : Object.entries(schema);
