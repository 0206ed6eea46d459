import { fault } from '@switchyard/base';
import { route, type Route } from '@switchyard/http';
import { toUid, type ConfigSchemaRecord } from '@switchyard/model';
import { configSchemaAnswer, configSchemaRecordSchema } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { byText, listRoute } from '../lists/list-route';
import { sortableBy } from '../lists/sortable-by';
import { visibleByName } from '../permissions/visible-records';

const view = ({ _id, pack, attributes }: ConfigSchemaRecord) => ({ id: _id, pack, attributes });

export const listConfigSchemasRoute = (deps: ApiDependencies): Route =>
  listRoute(deps, {
    path: '/config_schemas',
    operation: 'config_schema.get_all',
    summary: 'Configuration schemas, by pack',
    permission: 'pack_list',
    visible: visibleByName('pack', 'pack'),
    records: deps.store.configSchemas,
    filters: { pack: byText('pack', 'Reference of the pack') },
    sortable: sortableBy(configSchemaRecordSchema),
    order: { pack: 1 },
    defaultLimit: 100,
    schema: configSchemaAnswer,
    views: (found) => found.map(view),
  });

export const getConfigSchemaRoute = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/config_schemas/{pack_ref}',
    operation: 'config_schema.get_one',
    summary: 'The configuration schema of a pack',
    permission: 'pack_view',
    resource: ({ params }) => ({ uid: toUid('pack', params.pack_ref) }),
    response: { status: 200, schema: configSchemaAnswer },
    async handle({ params }) {
      const pack = params.pack_ref;
      const record = await store.configSchemas.byKey(pack);
      if (record) return { status: 200, body: view(record) };
      const known = await store.packs.byKey(pack);
      throw known ? fault('pack.config-not-found', { pack }) : fault('resource.pack-not-found', { id: pack });
    },
  });
