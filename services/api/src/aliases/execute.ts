import { fault } from '@switchyard/base';
import { route, type Route, secretsShown, showSecretsParameter } from '@switchyard/http';
import { compileAliasFormat } from '@switchyard/model';
import { startedAliasAnswer, textOrNull } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';
import { findAlias } from './find-alias';
import { prepareAliasRun, startAliasRun } from './run-alias';
import type { ApiDependencies } from '../api-dependencies';
import { checkMayExecute } from './usable-aliases';
import { requestKey } from '../executions/create';

const runBody = Type.Object(
  {
    name: Type.String({ description: 'Name of the alias, or its reference' }),
    format: Type.String({ description: 'The pattern of the alias that matches the command' }),
    command: Type.String(),
    source_channel: Type.String({ description: 'The channel of the command' }),
    user: Type.Optional(textOrNull),
    source_context: Type.Optional(Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'] })),
    notification_channel: Type.Optional(textOrNull),
    notification_route: Type.Optional(textOrNull),
  },
  { title: 'AliasRun', additionalProperties: false },
);

/** The author of a command when a bot does not name one. */
const SOMEBODY = 'channel';

export const executeAliasRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/aliasexecution',
    operation: 'action_alias_execution.post',
    summary:
      'Run the action of an alias with the parameters from a command; needs the permission to execute that action',
    permission: 'action_execute',
    checksPermission: true,
    query: showSecretsParameter,
    body: runBody,
    response: { status: 201, schema: startedAliasAnswer },
    async handle(request) {
      await checkMayExecute(deps, request.requester);
      const { name, format, command, user: speaker, ...place } = request.body;
      const alias = await findAlias(deps, request.requester, name, format);
      const given = compileAliasFormat(format).extract(command);
      if (!given) throw fault('alias.command-unfit', { command, format });
      const source = { ...place, user: speaker ?? SOMEBODY };
      const run = await prepareAliasRun(deps, {
        alias,
        given,
        source,
        actor: request.requester,
        requestKey: requestKey(request),
      });
      return { status: 201, body: await startAliasRun(deps, run, { secrets: secretsShown(request, deps.config) }) };
    },
  });
