import { fault } from '@switchyard/base';
import { ANY_USER, listResponse, pageParameters, readPage, route, type Route } from '@switchyard/http';
import { schemaByName } from '@switchyard/model/resources';
import { RULE_TYPES } from '@switchyard/triggers';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';

export const ruleTypeRoutes = (deps: ApiDependencies): Route[] => [listRuleTypes(deps), getRuleType];

const ruleType = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    enabled: Type.Boolean(),
    parameters: schemaByName,
  },
  { title: 'RuleType' },
);

const listRuleTypes = ({ config }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/ruletypes',
    operation: 'rule_types.get_all',
    summary: 'Rule types',
    permission: ANY_USER,
    forRestricted: true,
    query: pageParameters,
    response: { status: 200, schema: Type.Array(ruleType) },
    handle(request) {
      const page = readPage(request, { maxPageSize: config.api.max_page_size });
      const end = page.limit === undefined ? undefined : page.offset + page.limit;
      return listResponse(RULE_TYPES.slice(page.offset, end), RULE_TYPES.length, page);
    },
  });

const getRuleType: Route = route({
  method: 'GET',
  path: '/ruletypes/{id}',
  operation: 'rule_types.get_one',
  summary: 'One rule type, by id or name',
  permission: ANY_USER,
  forRestricted: true,
  response: { status: 200, schema: ruleType },
  handle({ params }) {
    const given = params.id;
    const found = RULE_TYPES.find(({ id, name }) => id === given || name === given);
    if (!found) throw fault('resource.name-not-found', { id: given });
    return { status: 200, body: found };
  },
});
