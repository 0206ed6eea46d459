import { createConfigWriter } from '@switchyard/content';
import { route, type Route, secretsShown, showSecretsParameter } from '@switchyard/http';
import { toUid } from '@switchyard/model';
import { configAnswer } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { unmasked } from '../rules/unmask';
import { configView } from './config-view';

type Values = Record<string, unknown>;

export function putConfigRoute({ config, paths, store, logger }: ApiDependencies): Route {
  const writer = createConfigWriter({ store, directory: paths.configs });
  return route({
    method: 'PUT',
    path: '/configs/{pack_ref}',
    operation: 'pack_configs.put',
    summary: 'Replace the configuration of a pack, in the store and in its file',
    permission: 'pack_config',
    resource: ({ params }) => ({ uid: toUid('pack', params.pack_ref) }),
    query: showSecretsParameter,
    body: Type.Record(Type.String(), Type.Any(), { description: 'The values, by attribute', secret: true }),
    response: { status: 200, schema: configAnswer },
    async handle(request) {
      const { params, body, requester } = request;
      const pack = params.pack_ref;
      const keepSecrets = (given: Values, before: Values | undefined) => unmasked(given, before) as Values;
      const record = await writer.save(pack, body ?? {}, keepSecrets);
      logger.audit('Pack configuration replaced.', { pack, user: requester.user });
      const schema = secretsShown(request, config) ? undefined : await store.configSchemas.byKey(pack);
      return { status: 200, body: configView(record, schema) };
    },
  });
}
