import { mongo, type Connection } from 'mongoose';

/** Whether a connection uses the embedded driver. Recognizes it by its client, so that callers need not load the driver. */
export function isEmbedded(connection: Connection): boolean {
  const client: unknown = connection.getClient();
  return client instanceof Object && !(client instanceof mongo.MongoClient);
}
