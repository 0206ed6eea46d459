import { join } from 'node:path';
import { listedFailures, PROXY_NAMES, registerContent, type ContentFailure } from '@switchyard/content';
import { isFault, messageOf } from '@switchyard/base';
import { route, type EventSink, type Route } from '@switchyard/http';
import { packAnswer, packRecordSchema } from '@switchyard/model/resources';
import { runnerTypes as runnerTypesOf } from '@switchyard/runners';
import { Type, type TOptional, type TString } from '@sinclair/typebox';
import { byText, listRoute } from '../lists/list-route';
import { sortableBy } from '../lists/sortable-by';
import type { ApiDependencies } from '../api-dependencies';
import { findPack, packView } from './pack-view';
import { setUpVirtualenvs, type SetUpFollower } from './set-up-packs';
import { guardedRecord } from '../permissions/guarded-record';
import { visibleByName } from '../permissions/visible-records';

export const packRoutes = (deps: ApiDependencies): Route[] => [listPacks(deps), getPack(deps), registerPacks(deps)];

const listPacks = (deps: ApiDependencies): Route =>
  listRoute(deps, {
    path: '/packs',
    operation: 'packs.get_all',
    summary: 'Packs by reference',
    permission: 'pack_list',
    visible: visibleByName('pack', 'ref'),
    records: deps.store.packs,
    filters: { name: byText('name', 'Display name'), ref: byText('ref', 'Reference') },
    sortable: sortableBy(packRecordSchema),
    order: { ref: 1 },
    defaultLimit: 100,
    // Packs may have custom attributes, so any name may be selected.
    attributes: {},
    schema: packAnswer,
    views: (found) => found.map(packView),
  });

const getPack = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/packs/{ref_or_id}',
    operation: 'packs.get_one',
    summary: 'One pack',
    permission: 'pack_view',
    resource: ({ params }) => guardedRecord('pack', store.packs, params.ref_or_id),
    response: { status: 200, schema: packAnswer },
    handle: async (request) => ({ status: 200, body: packView(await findPack(store, request)) }),
  });

/** The type of `Object.fromEntries` loses the names. */
const PROXIES = Object.fromEntries(PROXY_NAMES.map((name) => [name, Type.Optional(Type.String())])) as {
  readonly [Name in (typeof PROXY_NAMES)[number]]: TOptional<TString>;
};

const registerBody = Type.Object(
  {
    packs: Type.Optional(Type.Array(Type.String(), { description: 'Default, also if empty: all' })),
    types: Type.Optional(Type.Array(Type.String())),
    fail_on_failure: Type.Optional(Type.Boolean({ description: 'Register nothing if any file is invalid' })),
    check_only: Type.Optional(
      Type.Boolean({ description: 'Report errors and warnings in all files, and register nothing' }),
    ),
    setup_virtualenvs: Type.Optional(
      Type.Boolean({ description: 'Also create or update the virtual environments of the packs' }),
    ),
    recreate_virtualenvs: Type.Optional(Type.Boolean({ description: 'Also recreate their virtual environments' })),
    follow: Type.Optional(
      Type.Boolean({
        description:
          'Respond with server-sent events: "progress" with one line of output each, then "result" with the response or "fault" with the faultstring',
      }),
    ),
    proxies: Type.Optional(
      Type.Object(PROXIES, {
        additionalProperties: false,
        description: 'Proxies for pip, instead of those in the configuration of the pack packs',
      }),
    ),
  },
  { title: 'PackRegistration' },
);

const fileProblem = Type.Object(
  {
    pack: Type.String(),
    type: Type.String(),
    file: Type.String(),
    line: Type.Optional(Type.Integer()),
    field: Type.Optional(Type.String()),
    text: Type.String(),
  },
  { title: 'PackFileProblem' },
);

const registered = Type.Object(
  {
    failures: Type.Optional(
      Type.Array(fileProblem, {
        description: 'Files and parts that were left out, at most a hundred; absent if there are none',
      }),
    ),
    warnings: Type.Optional(Type.Array(fileProblem, { description: 'Warnings about the files that were read' })),
  },
  { title: 'RegisteredContent', additionalProperties: Type.Integer(), description: 'Counts by kind of content' },
);

const listed = (name: 'failures' | 'warnings', problems: readonly ContentFailure[]) =>
  problems.length > 0 ? { [name]: listedFailures(problems) } : {};

function registerPacks(deps: ApiDependencies): Route {
  const { config, store, bus, triggers, runners, packRoots, paths, logger, sharedPython } = deps;
  return route({
    method: 'POST',
    path: '/packs/register',
    operation: 'packs.register',
    summary: 'Register the packs on disk',
    permission: 'pack_register',
    body: registerBody,
    response: { status: 200, schema: registered },
    async handle({ body: { packs: named = [], ...others }, requester }) {
      // An empty list stands for all packs, as in StackStorm.
      const asked = { ...others, ...(named.length > 0 ? { packs: named } : {}) };
      const { packs, types, fail_on_failure: failOnFailure = false, check_only: checkOnly = false } = asked;
      const { counts, failures, warnings } = await registerContent({
        store,
        triggers,
        publisher: bus.publisher(),
        roots: packRoots,
        runnerTypes: runnerTypesOf(runners),
        maxPatternLength: config.limits.max_pattern_length,
        failOnFailure,
        checkOnly,
        overridesDirectory: join(paths.base, 'overrides'),
        configsDirectory: paths.configs,
        logger,
        ...(packs ? { packs } : {}),
        ...(types ? { types } : {}),
      });
      const problems = { ...listed('failures', failures), ...listed('warnings', warnings) };
      if (checkOnly) return { status: 200, body: problems };
      logger.audit('Content registered.', { packs, types, counts, user: requester.user });
      sharedPython?.request();
      const setUp = async (follower?: SetUpFollower) => ({
        ...counts,
        ...(await setUpVirtualenvs(deps, asked, follower)),
        ...problems,
      });
      if (asked.follow === true) return { status: 200, stream: (sink) => followed(sink, setUp) };
      return { status: 200, body: await setUp() };
    },
  });
}

/** Reports the steps as they begin. If the client disconnects, the programs are stopped. */
async function followed(sink: EventSink, setUp: (follower: SetUpFollower) => Promise<unknown>): Promise<void> {
  sink.open();
  const follower = { tell: (line: string) => void sink.send({ event: 'progress', data: line }), abort: sink.signal };
  try {
    sink.send({ event: 'result', data: await setUp(follower) });
  } catch (error) {
    if (!isFault(error)) throw error;
    sink.send({ event: 'fault', data: { faultstring: messageOf(error) } });
  }
}
