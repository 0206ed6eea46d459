import { paths } from '@switchyard/config';
import { openTestSite, type Later } from '@switchyard/testkit/platform';
import type { Connection } from 'mongoose';
import { connectMongo } from '../../src';
import { openEmbedded } from '../../src/embedded';

/** A connection to a store of its own, with either driver. */
export async function openTestConnection(later: Later): Promise<Connection> {
  const site = await openTestSite();
  later(() => site.remove());
  const { config } = site;
  const connection =
    config.storage.driver === 'mongodb'
      ? await connectMongo(config.database)
      : await openEmbedded({ directory: paths(config).store });
  later(() => connection.close());
  return connection;
}
