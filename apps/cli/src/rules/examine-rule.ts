import { isPlainObject, messageOf, systemClock } from '@switchyard/base';
import { isTemplate, matchEvent, renderLiveParameters, type DatastoreKey } from '@switchyard/expressions';
import { compileRule, createRuleSet, lookUp, sameJson, type RuleRecord } from '@switchyard/model';

/** A rule as it stands in a file or comes from a server; nothing about it has been checked. */
export interface ExaminedRule {
  readonly name?: string;
  readonly pack?: string;
  readonly trigger?: unknown;
  readonly criteria?: Record<string, Record<string, unknown>>;
  readonly action?: { readonly ref?: string; readonly parameters?: Record<string, unknown> };
}

export interface ExaminedEvent {
  /** A reference, or type and parameters. */
  readonly trigger: unknown;
  readonly payload: Record<string, unknown>;
}

export interface Examination {
  readonly matches: boolean;
  /** Why it does not, line by line. */
  readonly reasons: readonly string[];
  /** Of the action, as far as they can be known without it. */
  readonly parameters?: Record<string, unknown>;
}

type Lookup = (key: DatastoreKey) => Promise<string | undefined>;

/** Asks a rule about an event: its trigger, one criterion after the other, then the parameters of its action. */
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

/** By reference where both have one, else by type and parameters. */
function sameTrigger(ofRule: unknown, ofEvent: unknown): boolean {
  const [a, b] = [namesOf(ofRule), namesOf(ofEvent)];
  if (a.ref !== undefined && b.ref !== undefined && a.ref === b.ref) return true;
  if (a.type !== undefined && b.type !== undefined) return a.type === b.type && sameJson(a.parameters, b.parameters);
  // A type without parameters has one trigger, which bears its name.
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

/** Triggers of the product bear the reference's prefix in the store. */
const stored = (ref: string): string => ref.replace(/^core\.svc\./, 'core.st2.');

/** What is wrong with the first criterion that does not hold. */
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
