import { fault, isPlainObject } from '@switchyard/base';
import { route, type Guarded, type Requester, type Route } from '@switchyard/http';
import { toReference, toUid, type RuleRecord } from '@switchyard/model';
import { backtestAnswer } from '@switchyard/model/resources';
import type { Store } from '@switchyard/storage';
import { checkRule, parametersHash, storedRef, type RuleDraft } from '@switchyard/triggers';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../../api-dependencies';
import { sinceTime } from '../../triggers/since';
import { backtest, type Reader } from './backtest';
import { guardedDraft, guardedRecord, uidOf } from '../../permissions/guarded-record';
import { guardedTrigger } from '../../triggers/trigger-permissions';

export const ruleBacktestRoutes = (deps: ApiDependencies): Route[] => [ruleBacktest(deps)];

const body = Type.Object(
  {
    /** A rule as it would be stored, or the reference of a stored rule. */
    rule: Type.Union([Type.String(), Type.Object({}, { additionalProperties: true })]),
    since: Type.Optional(Type.String({ default: '1d' })),
  },
  { title: 'BacktestBody' },
);

const ruleBacktest = (deps: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/rules/backtest',
    operation: 'rules.backtest',
    readsOnly: true,
    summary: 'Find out what a rule would have run for past events, without running it',
    // The results reveal everything that a rule can read.
    permission: 'rule_create',
    resource: ({ body: asked }) => guardedBacktest(deps, asked.rule),
    body,
    response: { status: 200, schema: backtestAnswer },
    async handle({ body: { rule: asked, since = '1d' }, signal, requester }) {
      const from = sinceTime(since, deps.clock.nowMicros());
      const rule = typeof asked === 'string' ? await storedRule(deps.store, asked) : await draftRule(deps, asked);
      return {
        status: 200,
        body: await backtest(deps, rule, { from, signal, reader: readerFor(requester, deps.config) }),
      };
    },
  });

/** A rule reads items of the datastore as the system user, so the report could show items that the caller may not
 * view. */
const readerFor = ({ user, isAdmin, boundRole: role }: Requester, config: ApiDependencies['config']): Reader => ({
  user: isAdmin ? config.system_user.user : user,
  role,
});

/** Requires the permissions to create the rule with its action, and to view the past instances. */
async function guardedBacktest({ store }: ApiDependencies, asked: string | object): Promise<Guarded[]> {
  const isNamed = typeof asked === 'string';
  const rule = isNamed ? await guardedRecord('rule', store.rules, asked) : guardedDraft('rule', asked);
  const stored = isNamed ? await store.rules.find(asked) : undefined;
  const trigger = isNamed ? stored?.trigger : textIn(asked, 'trigger', 'type');
  const action = isNamed ? stored?.action.ref : textIn(asked, 'action', 'ref');
  const happened = await guardedTrigger(store, storedRef(trigger ?? ''));
  const run = action === undefined ? [] : [{ uid: uidOf('action', action), permission: 'action_execute' }];
  return [rule, { ...happened, permission: 'trigger_view' }, ...run];
}

function textIn(draft: object, member: string, name: string): string | undefined {
  const inner = (draft as Readonly<Record<string, unknown>>)[member];
  const value = isPlainObject(inner) ? inner[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

async function storedRule({ rules }: Pick<Store, 'rules'>, refOrId: string): Promise<RuleRecord> {
  const rule = await rules.find(refOrId);
  if (!rule) throw fault('resource.ref-not-found', { id: refOrId });
  return rule;
}

/** The record that a draft would become, if its trigger exists. */
async function draftRule(
  { store, config }: Pick<ApiDependencies, 'store' | 'config'>,
  given: Record<string, unknown>,
): Promise<RuleRecord> {
  const draft = checkRule(isPlainObject(given) ? given : {}, config.limits.max_pattern_length);
  const ref = toReference(draft.pack, draft.name);
  const uid = toUid('rule', draft.pack, draft.name);
  return { ...draft, _id: ref, ref, uid, trigger: await triggerOf(store, draft.trigger) };
}

async function triggerOf(
  { triggers }: Pick<Store, 'triggers'>,
  { type, parameters }: RuleDraft['trigger'],
): Promise<string> {
  const [found] = await triggers.list({ filter: { type, parameters_hash: parametersHash(parameters) }, limit: 1 });
  // Without the trigger there are no instances. The trigger of a simple type has the type's name.
  return found?.ref ?? type;
}
