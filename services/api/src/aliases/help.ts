import { route, type Route } from '@switchyard/http';
import { aliasHelp } from '@switchyard/model';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { usableAliases } from './usable-aliases';

const helpLine = Type.Object(
  { pack: Type.String(), display: Type.String(), description: Type.String() },
  { title: 'AliasHelpLine' },
);
const helpSchema = Type.Object(
  { available: Type.Integer({ description: 'Total number of lines' }), helpstrings: Type.Array(helpLine) },
  { title: 'AliasHelp' },
);

export const aliasHelpRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/actionalias/help',
    operation: 'action_alias.help',
    summary: 'Commands of the enabled action aliases',
    permission: 'action_alias_help',
    query: {
      filter: { type: 'string', description: 'Regular expression that matches part of a line, ignoring case' },
      pack: { type: 'string' },
      limit: { type: 'integer', default: 100, minimum: 0, description: 'Maximum number of lines; 0 for all' },
      offset: { type: 'integer', default: 0, minimum: 0 },
    },
    response: { status: 200, schema: helpSchema },
    async handle({ query, requester }) {
      const aliases = await usableAliases(deps, requester, await deps.store.actionAliases.enabled());
      return { status: 200, body: aliasHelp(aliases, query) };
    },
  });
