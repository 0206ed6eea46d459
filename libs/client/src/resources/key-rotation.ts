import type { KeyRotation, KeyRotationRequest } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { answerOf } from './records';

/** The keys that encrypt secrets in the store. */
export interface KeyRotations {
  /** The last rotation. @throws ApiError with status 404 if there was none */
  get(): Promise<KeyRotation>;
  /** Begins a rotation, or returns the one that is under way. With `retire`, requests the removal of the former keys
   * instead. */
  start(options?: KeyRotationRequest): Promise<KeyRotation>;
}

const PATH = ['key_rotation'];

export const createKeyRotations = (transport: ApiTransport): KeyRotations => ({
  get: () => answerOf(transport, 'GET', PATH),
  start: (options = {}) => answerOf(transport, 'POST', PATH, options),
});
