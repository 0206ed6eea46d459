import { longestHoldUp, MOST_HELD_UP, SLOW_TEMPLATE, SLOW_TEMPLATE_VALUE } from '@switchyard/testkit/hold-up';
import { apiFixture, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
  const parameters = { text: { type: 'string' }, fixed: { type: 'string' } };
  await api.ada.post('actions', { name: 'act', runner_type: 'noop', parameters }).expect(201);
});
afterAll(() => api.close());

const source = { source_channel: 'room', user: 'chatter' };

it('Long templates of an alias and of its parameters block no other request', async () => {
  const more = {
    immutable_parameters: { fixed: `${SLOW_TEMPLATE}{{ source_channel }}` },
    ack: { format: `ack ${SLOW_TEMPLATE}`, extra: { deep: [`{{ execution.status }} ${SLOW_TEMPLATE}`] } },
  };
  const alias = { name: 'go', pack: 'tests', action_ref: 'default.act', formats: ['go {{text=none}}'], ...more };
  await api.ada.post('actionalias').send(alias).expect(201);
  const { result, share } = await longestHoldUp(async () =>
    api.ada.post('aliasexecution').send({ name: 'go', format: 'go {{text=none}}', command: 'go home', ...source }),
  );
  expect(result.status).toBe(201);
  expect(result.body).toMatchObject({
    execution: { parameters: { text: 'home', fixed: `${SLOW_TEMPLATE_VALUE}room` } },
    message: `ack ${SLOW_TEMPLATE_VALUE}`,
    extra: { deep: [`requested ${SLOW_TEMPLATE_VALUE}`] },
  });
  expect(share).toBeLessThan(MOST_HELD_UP);
});

it('Long templates of a request block no other request, and fail it when they take too long', async () => {
  const parameters = { text: `${SLOW_TEMPLATE}{{ action_context.user }}` };
  const request = (body: object) => longestHoldUp(async () => api.ada.post('executions').send(body));
  const { result, share } = await request({ action: 'default.act', parameters });
  expect([result.status, result.body.parameters]).toEqual([201, { text: `${SLOW_TEMPLATE_VALUE}ada` }]);
  expect(share).toBeLessThan(MOST_HELD_UP);
  const endless = '{% for i in range(100000) %}{% for j in range(100000) %}{{ i }}{% endfor %}{% endfor %}';
  const refused = await request({ action: 'default.act', parameters: { text: endless } });
  expect([refused.result.status, refused.result.body.faultstring]).toEqual([
    400,
    'Failed to render parameter "text": The template exceeds its limit of 2000000 steps.',
  ]);
  expect(refused.share).toBeLessThan(MOST_HELD_UP);
});
