import { route, type Route, secretsShown, showSecretsParameter } from '@switchyard/http';
import { startedAliasAnswer, textOrNull } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';
import { matchCommand } from './match-command';
import { prepareAliasRun, startAliasRun, type StartedRun } from './run-alias';
import type { ApiDependencies } from '../api-dependencies';
import { checkMayExecute } from './usable-aliases';
import { requestKey } from '../executions/create';

const commandBody = Type.Object(
  {
    command: Type.String(),
    user: Type.String({ description: 'The user who sent the command' }),
    source_channel: Type.String({ description: 'The channel of the command' }),
    notification_channel: Type.Optional(textOrNull),
    notification_route: Type.Optional(textOrNull),
  },
  { title: 'AliasCommand', additionalProperties: false },
);

export const matchAndExecuteRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/aliasexecution/match_and_execute',
    operation: 'action_alias_execution.match_and_execute',
    summary:
      'Find the alias that matches a command and run its action, once for each match if its format allows several',
    permission: 'action_execute',
    checksPermission: true,
    query: showSecretsParameter,
    body: commandBody,
    response: {
      status: 201,
      schema: Type.Object({ results: Type.Array(startedAliasAnswer) }, { title: 'StartedAliases' }),
    },
    async handle(request) {
      await checkMayExecute(deps, request.requester);
      const { command, ...source } = request.body;
      const { alias, parameters } = await matchCommand(deps, request.requester, command);
      const key = requestKey(request);
      // If one run is refused, none of them starts.
      const runs = await Promise.all(
        parameters.map((given, index) =>
          prepareAliasRun(deps, {
            alias,
            given,
            source,
            actor: request.requester,
            requestKey: key === undefined ? key : `${key}:${index}`,
          }),
        ),
      );
      const results: StartedRun[] = [];
      for (const run of runs)
        results.push(await startAliasRun(deps, run, { secrets: secretsShown(request, deps.config) }));
      return { status: 201, body: { results } };
    },
  });
