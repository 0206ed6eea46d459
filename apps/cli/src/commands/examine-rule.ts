import { isPlainObject, messageOf, systemClock } from '@switchyard/base';
import { isTemplate, matchEvent, renderLiveParameters, type DatastoreKey } from '@switchyard/expressions';
import { compileRule, createRuleSet, lookUp, sameJson, type RuleRecord } from '@switchyard/model';

/** An unchecked rule from a file or a server. */
export interface ExaminedRule {
  readonly name?: string;
  readonly pack?: string;
  readonly trigger?: unknown;
  readonly criteria?: Record<string, Record<string, unknown>>;
  readonly action?: { readonly ref?: string; readonly parameters?: Record<string, unknown> };
}

export interface ExaminedEvent {
  /** A reference, or a type with parameters. */
  readonly trigger: unknown;
  readonly payload: Record<string, unknown>;
}

export interface Examination {
  readonly matches: boolean;
  /** Why the rule does not match, line by line. */
  readonly reasons: readonly string[];
  /** The parameters of the action, as far as they are known without its definition. */
  readonly parameters?: Record<string, unknown>;
}

type Lookup = (key: DatastoreKey) => Promise<string | undefined>;

/** Checks a rule for an event: the trigger, each criterion, then the parameters of the action. */
export async function examineRule(rule: ExaminedRule, event: ExaminedEvent, lookup: Lookup): Promise<Examination> {
  if (!sameTrigger(rule.trigger, event.trigger))
    return differs([`The rule listens to ${shown(rule.trigger)}, and this is an instance of ${shown(event.trigger)}.`]);
  try {
    const failing = await firstFailing(rule, event, lookup);
    if (failing) return differs(failing);
    return { matches: true, reasons: [], parameters: await parametersOf(rule, event, lookup) };
  } catch (error) {
    return differs([messageOf(error)]);
  }
}

const differs = (reasons: string[]): Examination => ({ matches: false, reasons });

const shown = (trigger: unknown): string => (typeof trigger === 'string' ? trigger : JSON.stringify(trigger));

interface NamedTrigger {
  ref?: string;
  type?: string;
  parameters: unknown;
}

/** Compares references if both have one, else types and parameters. */
function sameTrigger(ofRule: unknown, ofEvent: unknown): boolean {
  const [a, b] = [namesOf(ofRule), namesOf(ofEvent)];
  if (a.ref !== undefined && b.ref !== undefined && a.ref === b.ref) return true;
  if (a.type !== undefined && b.type !== undefined) return a.type === b.type && sameJson(a.parameters, b.parameters);
  // A type without parameters has a single trigger with the same name.
  return (a.type ?? a.ref) === (b.type ?? b.ref);
}

function namesOf(trigger: unknown): NamedTrigger {
  const { ref, type, parameters } = isPlainObject(trigger) ? trigger : { ref: trigger };
  return {
    ...(typeof ref === 'string' ? { ref: stored(ref) } : {}),
    ...(typeof type === 'string' ? { type: stored(type) } : {}),
    parameters: parameters ?? {},
  };
}

/** The store uses the reference's prefix for the triggers of the product. */
const stored = (ref: string): string => ref.replace(/^core\.svc\./, 'core.st2.');

/** Explains the first criterion that does not match. */
async function firstFailing(
  { criteria = {}, name = 'rule', pack = 'default' }: ExaminedRule,
  { payload }: ExaminedEvent,
  lookup: Lookup,
): Promise<string[] | undefined> {
  for (const [key, criterion] of Object.entries(criteria)) {
    const record = { ref: `${pack}.${name}`, criteria: { [key]: criterion } } as unknown as RuleRecord;
    const rules = createRuleSet([compileRule(record, isTemplate)]);
    const { matched, failed } = await matchEvent(rules, payload, { now: systemClock().nowMicros(), lookup });
    if (matched.length > 0) continue;
    const about = [
      'Validation for rule failed with criteria:',
      `\tkey: ${key}`,
      `\tpattern: ${JSON.stringify(criterion['pattern'])}`,
      `\ttype: ${String(criterion['type'])}`,
      `\tpayload: ${JSON.stringify(valueAt(payload, key)) ?? 'nothing'}`,
    ];
    return [...about, ...failed.map(({ reason }) => `\t${reason}`)];
  }
  return undefined;
}

function valueAt(payload: unknown, key: string): unknown {
  try {
    const found = lookUp({ trigger: payload }, key);
    return found.found ? found.value : undefined;
  } catch {
    return undefined;
  }
}

async function parametersOf(
  { action }: ExaminedRule,
  { payload }: ExaminedEvent,
  lookup: Lookup,
): Promise<Record<string, unknown>> {
  const { parameters } = await renderLiveParameters({
    runnerParameters: {},
    actionParameters: {},
    parameters: action?.parameters ?? {},
    context: {},
    extra: { trigger: payload },
    lookup,
  });
  return parameters;
}
