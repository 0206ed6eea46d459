import { fault } from '@switchyard/base';
import { ADMINISTRATORS, route, type Route } from '@switchyard/http';
import { rotationView } from '@switchyard/model';
import { keyRotationAnswer, keyRotationBody } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';

/** Rotations of the store's keys. They contain ids of keys; the keys themselves never leave the machine. */
export const keyRotationRoutes = (deps: ApiDependencies): Route[] => [getRotation(deps), startRotation(deps)];

const getRotation = ({ store }: ApiDependencies): Route =>
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
      return { status: 200, body: rotationView(record) };
    },
  });

const startRotation = ({ store, clock, logger }: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/key_rotation',
    operation: 'key_rotation.post',
    permission: ADMINISTRATORS,
    summary: 'Encrypt the secrets in the store with new keys, or remove the former keys',
    body: keyRotationBody,
    response: { status: 202, schema: keyRotationAnswer },
    async handle({ body: { retire = false }, requester: { user } }) {
      const { keyRotations } = store;
      const record = retire ? await keyRotations.retire(user) : await keyRotations.begin(user, clock.nowMicros());
      const what = retire ? 'The removal of the former keys' : 'A rotation of keys';
      logger.audit(`${what} was requested.`, { user, stage: record.stage });
      return { status: 202, body: rotationView(record) };
    },
  });
