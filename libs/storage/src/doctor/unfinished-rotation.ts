import type { Connection } from 'mongoose';
import { storeCollections } from '../collections';
import { keyRotationRepository } from '../repositories/key-rotations';

/** A sentence about a rotation of keys that has not ended; undefined if there is none. */
export async function unfinishedRotation(connection: Connection): Promise<string | undefined> {
  const { last } = keyRotationRepository(storeCollections(connection).keyRotations);
  const rotation = await last();
  if (!rotation || rotation.stage === 'resealed' || rotation.stage === 'retired') return undefined;
  return `A rotation of keys has not ended (${rotation.stage}). The system continues it when it runs, as does svc-seal.`;
}
