import { mongo } from 'mongoose';

const PATIENCE_MS = 5000;

/** Whether a MongoDB server stores a record. */
export async function acceptsWrites(url: string): Promise<boolean> {
  const options = { serverSelectionTimeoutMS: PATIENCE_MS, socketTimeoutMS: PATIENCE_MS };
  const client = new mongo.MongoClient(url, options);
  try {
    await client.db('faults').collection('writes').insertOne({});
    return true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}
