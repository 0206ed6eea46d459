import { fault } from '@switchyard/base';
import { route, type Route, secretsShown, showSecretsParameter } from '@switchyard/http';
import { toUid } from '@switchyard/model';
import { configAnswer, configRecordSchema } from '@switchyard/model/resources';
import { isOneOf } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';
import { byText, listRoute } from '../lists/list-route';
import { sortableBy } from '../lists/sortable-by';
import { configView } from './config-view';
import { visibleByName } from '../permissions/visible-records';

export const listConfigsRoute = (deps: ApiDependencies): Route =>
  listRoute(deps, {
    path: '/configs',
    operation: 'pack_configs.get_all',
    summary: 'Configurations by pack',
    permission: 'pack_list',
    visible: visibleByName('pack', 'pack'),
    records: deps.store.configs,
    filters: { pack: byText('pack', 'Reference of the pack') },
    sortable: sortableBy(configRecordSchema),
    order: { pack: 1 },
    defaultLimit: 100,
    query: showSecretsParameter,
    schema: configAnswer,
    async views(found, asked) {
      if (secretsShown(asked, deps.config)) return found.map((record) => configView(record, undefined));
      const packs = found.map((record) => record.pack);
      const schemas = await deps.store.configSchemas.list({ filter: { pack: isOneOf(packs) } });
      const byPack = new Map(schemas.map((schema) => [schema.pack, schema]));
      return found.map((record) => configView(record, byPack.get(record.pack)));
    },
  });

export const getConfigRoute = ({ config, store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/configs/{pack_ref}',
    operation: 'pack_configs.get_one',
    summary: 'The configuration of a pack',
    permission: 'pack_view',
    resource: ({ params }) => ({ uid: toUid('pack', params.pack_ref) }),
    query: showSecretsParameter,
    response: { status: 200, schema: configAnswer },
    async handle(request) {
      const pack = request.params.pack_ref;
      const [known, [record]] = await Promise.all([store.packs.byKey(pack), store.configs.list({ filter: { pack } })]);
      // A configuration may be written before its pack is installed.
      if (!known || !record) throw fault('pack.config-not-found', { pack });
      const schema = secretsShown(request, config) ? undefined : await store.configSchemas.byKey(pack);
      return { status: 200, body: configView(record, schema) };
    },
  });
