import { fault } from '@switchyard/base';
import { KEY_ROTATOR } from '@switchyard/host';
import { ADMINISTRATORS, route, type Route } from '@switchyard/http';
import { rotationView, type KeyRotationRecord } from '@switchyard/model';
import { keyRotationAnswer, keyRotationBody } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';

/** Rotations of the store's keys. They contain ids of keys; the keys themselves never leave the machine. */
export function keyRotationRoutes(deps: ApiDependencies): Route[] {
  const isCarriedOut = rotators(deps);
  return [getRotation(deps, isCarriedOut), startRotation(deps, isCarriedOut)];
}

type IsCarriedOut = (record: KeyRotationRecord) => Promise<boolean>;

/** Whether a garbage collector is running for a rotation that is under way. */
const rotators =
  ({ instances }: ApiDependencies): IsCarriedOut =>
  async ({ stage }) =>
    stage === 'resealed' ||
    stage === 'retired' ||
    (await instances.alive()).some(({ service }) => service === KEY_ROTATOR);

const getRotation = ({ store }: ApiDependencies, isCarriedOut: IsCarriedOut): Route =>
  route({
    method: 'GET',
    path: '/key_rotation',
    operation: 'key_rotation.get',
    permission: ADMINISTRATORS,
    summary: 'The last rotation of the keys that encrypt secrets in the store',
    response: { status: 200, schema: keyRotationAnswer },
    async handle() {
      const record = await store.keyRotations.last();
      if (!record) throw fault('storage.no-rotation', {});
      return { status: 200, body: rotationView(record, await isCarriedOut(record)) };
    },
  });

const startRotation = ({ store, clock, logger }: ApiDependencies, isCarriedOut: IsCarriedOut): Route =>
  route({
    method: 'POST',
    path: '/key_rotation',
    operation: 'key_rotation.post',
    permission: ADMINISTRATORS,
    summary: 'Encrypt the secrets in the store with new keys, or remove the former keys',
    body: keyRotationBody,
    response: { status: 202, schema: keyRotationAnswer },
    async handle({ body: { retire = false, abandon_damaged: abandons = false }, requester: { user } }) {
      if (abandons && !retire) throw fault('storage.abandons-nothing');
      const { keyRotations } = store;
      const record = retire
        ? await keyRotations.retire(user, abandons)
        : await keyRotations.begin(user, clock.nowMicros());
      const what = retire ? 'The removal of the former keys' : 'A rotation of keys';
      logger.audit(`${what} was requested.`, { user, stage: record.stage, ...(abandons && { abandon_damaged: true }) });
      return { status: 202, body: rotationView(record, await isCarriedOut(record)) };
    },
  });
