import { fault, isPlainObject } from '@switchyard/base';
import { route, type Route, secretsShown, showSecretsParameter } from '@switchyard/http';
import { withBoundRole } from '@switchyard/model';
import { ruleAnswer, ruleBody } from '@switchyard/model/resources';
import { checkRule } from '@switchyard/triggers';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord, findReplaced } from '../find-record';
import { authoriseRule } from './authorise-rule';
import { refuseMasked } from './refuse-masked';
import { viewRules } from './rule-view';
import { unmasked } from './unmask';
import { checkReplacement, isEmpty } from '../unopened-parameters';
import { guardedDraft, guardedReplacement } from '../permissions/guarded-record';
import { guardedRule } from './rule-permissions';

export const createRuleRoute = ({ config, store, triggers, identities, logger }: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/rules',
    operation: 'rules.post',
    summary: 'Create a rule',
    permission: 'rule_create',
    resource: ({ body }) => guardedDraft('rule', body),
    query: showSecretsParameter,
    // The rule checks validate the whole body, because they cover more than a schema can express.
    body: 'any',
    bodySchema: ruleBody,
    response: { status: 201, schema: ruleAnswer },
    async handle(request) {
      const { user, boundRole: role } = request.requester;
      const draft = checkRule(request.body, config.limits.max_pattern_length);
      await authoriseRule(identities.access, request.requester, draft);
      await refuseMasked(store, draft.action.ref, draft.action.parameters, ['action', 'parameters']);
      const rule = await triggers.createRule({ ...draft, context: withBoundRole({ ...draft.context, user }, role) });
      logger.audit('Rule created.', { rule: rule.ref, user });
      const [body] = await viewRules(store, [rule], { secrets: secretsShown(request, config) });
      return { status: 201, body };
    },
  });

export const updateRuleRoute = (deps: ApiDependencies): Route => {
  const { config, store, triggers, identities, logger } = deps;
  return route({
    method: 'PUT',
    path: '/rules/{ref_or_id}',
    operation: 'rules.put',
    summary: 'Replace a rule, keeping its id',
    permission: 'rule_modify',
    resource: (request) =>
      guardedReplacement(guardedRule(deps)(request), {
        ...guardedDraft('rule', request.body),
        permission: 'rule_create',
      }),
    query: showSecretsParameter,
    body: 'any',
    bodySchema: ruleBody,
    response: { status: 200, schema: ruleAnswer },
    async handle(request) {
      const { user, boundRole: role } = request.requester;
      const longest = config.limits.max_pattern_length;
      const before = await findReplaced(store.rules, request.params.ref_or_id, () => checkRule(request.body, longest));
      const draft = checkReplacement(request.body, before, {
        check: (body) => checkRule(withSecrets(body, before.action), longest),
        isSame: ({ action }) => action.ref === before.action.ref && isEmpty(action.parameters),
      });
      await authoriseRule(identities.access, request.requester, draft);
      await refuseMasked(store, draft.action.ref, draft.action.parameters, ['action', 'parameters']);
      const rule = await triggers.replaceRule(before, {
        ...draft,
        context: withBoundRole({ ...draft.context, user }, role),
      });
      logger.audit('Rule updated.', { rule: rule.ref, user });
      const [body] = await viewRules(store, [rule], { secrets: secretsShown(request, config) });
      return { status: 200, body };
    },
  });
};

/** A client that changes one field sends back the masks of the others. */
function withSecrets(body: unknown, before: { readonly ref: string; readonly parameters: unknown }): unknown {
  if (!isPlainObject(body) || !isPlainObject(body['action']) || body['action']['ref'] !== before.ref) return body;
  const parameters = unmasked(body['action']['parameters'], before.parameters);
  return { ...body, action: { ...body['action'], ...(parameters === undefined ? {} : { parameters }) } };
}

export const deleteRuleRoute = (deps: ApiDependencies): Route => {
  const { store, triggers, logger } = deps;
  return route({
    method: 'DELETE',
    path: '/rules/{ref_or_id}',
    operation: 'rules.delete',
    summary: 'Delete a rule, and its trigger when no other rule listens to it',
    permission: 'rule_delete',
    resource: guardedRule(deps),
    response: { status: 204 },
    async handle({ params, requester }) {
      const rule = await findRecord(store.rules, params.ref_or_id);
      if (!(await triggers.removeRule(rule))) throw fault('resource.ref-not-found', { id: rule.ref });
      logger.audit('Rule deleted.', { rule: rule.ref, user: requester.user });
      return { status: 204 };
    },
  });
};
