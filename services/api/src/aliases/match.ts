import { route, type Route, secretsShown, showSecretsParameter } from '@switchyard/http';
import { aliasMatchAnswer } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';
import { viewAlias } from './alias-view';
import { matchCommand } from './match-command';
import type { ApiDependencies } from '../api-dependencies';

export const matchAliasRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/actionalias/match',
    operation: 'action_alias.match',
    readsOnly: true,
    summary: 'Find the action alias and the pattern that match a command',
    permission: 'action_alias_match',
    query: showSecretsParameter,
    body: Type.Object({ command: Type.String() }),
    response: { status: 200, schema: aliasMatchAnswer },
    async handle(request) {
      const { command } = request.body;
      const { alias, display = null, ...matched } = await matchCommand(deps, request.requester, command);
      const { representation, parameters } = matched;
      const options = { secrets: secretsShown(request, deps.config) };
      return {
        status: 200,
        body: { actionalias: await viewAlias(deps.store, alias, options), display, representation, parameters },
      };
    },
  });
