import { createDatastore, createValueCipher } from '@switchyard/datastore';
import { watchInstances } from '@switchyard/host';
import { runnerRegistry } from '@switchyard/runners';
import request from 'supertest';
import type { WorkflowSystem } from '../../../workflow-engine/test/support/workflow-system';
import { createApiService } from '../../src';

export interface ServedSystem {
  /** Reads as an administrator. @param path below `/v1` */
  get(path: string): request.Test;
  stop(): Promise<void>;
}

/** The API over the store and bus of a running system. */
export async function serveApiOf({
  platform,
  executions,
  triggers,
  identities,
}: WorkflowSystem): Promise<ServedSystem> {
  const { config, paths, clock, logger, store, bus } = platform;
  const service = createApiService({
    config,
    paths,
    clock,
    logger,
    store,
    instances: watchInstances({ instances: store.instances, clock, logger, leaseMs: config.instances.lease_ms }),
    bus,
    executions,
    triggers,
    datastore: createDatastore({
      store,
      clock,
      logger,
      access: identities.access,
      cipher: createValueCipher({ path: paths.datastoreKey, mayCreate: true, enabled: true }),
      systemUser: config.system_user.user,
    }),
    identities,
    runners: runnerRegistry({ config, paths }),
    packRoots: [paths.packs],
    about: { version: '1.2.3', docsUrl: 'https://docs' },
    checkResponses: true,
  });
  await service.start();
  const { token } = await identities.tokens.issueToken({ user: 'ada' });
  const url = `http://127.0.0.1:${service.address().port}/v1`;
  return {
    get: (path) => request(url).get(path).set('x-auth-token', token),
    stop: () => service.stop(),
  };
}
