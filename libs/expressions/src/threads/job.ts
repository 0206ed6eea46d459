import type { Allowance } from '../allowance';
import { PURE_FUNCTIONS } from '../functions/pure-functions';
import { parsedTemplate } from '../jinja/template';
import { isSystemItems } from '../rules/system-items';
import type { Evaluation } from '../turns/evaluation';
import type { AllowanceLeft, Job } from './messages';

/** Thrown for an evaluation that must run on the main thread. */
export class OnlyHere extends Error {}

/** Describes an evaluation for a thread. @throws OnlyHere */
export function jobOf(evaluation: Evaluation, allowance: AllowanceLeft | undefined): Job {
  const { language, form, source } = evaluation;
  return { language, form, source, ...surroundingsOf(evaluation), allowance };
}

/** The remainder of an allowance. */
export const leftOf = (allowance: Allowance | undefined): AllowanceLeft | undefined =>
  allowance && { limits: allowance.limits, steps: allowance.balance, ms: allowance.msLeft };

type Surroundings = Pick<Job, 'values' | 'functions' | 'reads' | 'lenient' | 'limits'>;

function surroundingsOf(evaluation: Evaluation): Surroundings {
  if (evaluation.language !== 'template') {
    const { scope, source, limits } = evaluation;
    // Everything else reads variables through a function.
    const values = source.includes('$__') ? scope.variables : {};
    return { values, functions: asked(scope.functions), reads: NOTHING, lenient: false, limits };
  }
  const { source, context, options } = evaluation;
  const { functions, filters, decrypt, random, datastore, limits, missing } = options;
  if (functions ?? filters ?? decrypt ?? random) throw new OnlyHere();
  // An invalid template has no names; the thread will report the error.
  const names = (parsedTemplate(source)?.roots ?? []).filter((name) => Object.hasOwn(context, name));
  const isLazy = names.includes('system') && isSystemItems(context['system']);
  const values = Object.fromEntries(
    names.filter((name) => !(isLazy && name === 'system')).map((name) => [name, context[name]]),
  );
  const reads = { datastore: datastore !== undefined, system: isLazy };
  return { values, functions: [], reads, lenient: missing === 'lenient', limits };
}

const NOTHING = { datastore: false, system: false };

const asked = (functions: Extract<Evaluation, { readonly scope: unknown }>['scope']['functions']): Job['functions'] =>
  [...functions]
    .filter(([name, host]) => PURE_FUNCTIONS.get(name) !== host)
    .map(([name, { parameters, required, variadic = false }]) => ({ name, parameters, required, variadic }));
