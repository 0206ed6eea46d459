import { PROCESS } from '@switchyard/host';
import { anInstance } from '@switchyard/testkit/platform';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
});
afterAll(() => api.close());

const groups = async () => (await api.ada.get('service_registry/groups').expect(200)).body.groups as string[];

it('lists running processes by service, with the names of StackStorm', async () => {
  const listens = { auth: { host: '10.0.0.1', port: 9100, tls: true } };
  const services = ['auth', 'workflow-engine'];
  const record = anInstance({ service: PROCESS, host: 'east', pid: 17, services, version: '1.2.3', listens });
  await api.store.instances.register(record);
  // A process has a record for each lease too; only one of them belongs to the registry.
  await api.store.instances.register(anInstance({ service: 'action-runner', host: 'east', pid: 17 }));
  expect(await groups()).toEqual(['auth', 'workflow_engine']);
  const { body } = await api.ada.get('service_registry/groups/auth/members').expect(200);
  const capabilities = { name: 'auth', type: 'active', hostname: 'east', pid: 17 };
  const address = { listen_host: '10.0.0.1', listen_port: 9100, listen_ssl: true };
  expect(body).toEqual({
    members: [{ group_id: 'auth', member_id: 'east_17', capabilities: { ...capabilities, ...address } }],
  });
  const engines = await api.ada.get('service_registry/groups/workflow_engine/members').expect(200);
  expect(engines.body.members[0].capabilities).toEqual({ ...capabilities, name: 'workflowengine', type: 'passive' });
  expect((await api.ada.get('service_registry/groups/timer_engine/members').expect(200)).body).toEqual({ members: [] });
  await api.store.instances.remove(record._id);
  expect(await groups()).toEqual([]);
});

it('knows no other groups', async () => {
  const { body } = await api.ada.get('service_registry/groups/clock/members').expect(404);
  expect(body).toEqual({ faultstring: 'Group with ID "clock" not found.' });
});
