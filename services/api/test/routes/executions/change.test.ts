import { apiFixture, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => void (api = await apiFixture()));
afterAll(() => api.close());

const requested = async () => (await api.ada.post('executions', { action: 'core.noop' })).body.id as string;

describe('PUT /executions/{id}', () => {
  it('completes an execution with a result', async () => {
    const id = await requested();
    const { status, body } = await api.ada.put(`executions/${id}`, { status: 'succeeded', result: { mine: 1 } });
    expect([status, body.status, body.result]).toEqual([200, 'succeeded', { mine: 1 }]);
  });

  it('cancels', async () => {
    const id = await requested();
    const { body } = await api.ada.put(`executions/${id}`, { status: 'canceling' });
    expect(body).toMatchObject({ status: 'canceled', context: { cancelled_by: 'ada' } });
  });

  it.each([
    [{}, "'status' is a required property"],
    [{ status: 'nonsense' }, "'nonsense' is not one of ['requested', "],
    [{ status: 'paused' }, 'Failed updating execution. Unable to pause liveaction'],
    [{ status: 'scheduled' }, 'An execution in status "requested" cannot become "scheduled"'],
    [{ status: 'succeeded', result: 'x' }, "'********' of type 'string' is not of type 'object'"],
    [{ status: 'succeeded', colour: 1 }, "Additional properties are not allowed ('colour' was unexpected)"],
    [{ colour: 1, status: 5 }, "5 is not of type 'string'"],
    [[], "[] is not of type 'object'"],
  ])('%j is refused', async (body, text) => {
    const answer = await api.ada.put(`executions/${await requested()}`, body);
    expect([answer.status, answer.body.faultstring]).toEqual([400, expect.stringContaining(text)]);
  });

  it('is refused when the execution has ended, or does not exist', async () => {
    const id = await api.ran({ action: 'core.noop' });
    const ended = await api.ada.put(`executions/${id}`, { status: 'canceled' });
    expect([ended.status, ended.body.faultstring]).toEqual([400, 'Execution is already in completed state.']);
    await api.ada.put('executions/abc', { status: 'canceled' }).expect(404);
  });
});

describe('DELETE /executions/{id}', () => {
  it('cancels, however often it is called', async () => {
    const id = await requested();
    for (let time = 0; time < 2; time++) {
      const { status, body } = await api.ada.delete(`executions/${id}`);
      expect([status, body.status]).toEqual([200, 'canceled']);
    }
  });

  it('reports that the execution had already ended', async () => {
    const id = await api.ran({ action: 'core.noop' });
    const { status, body } = await api.ada.delete(`executions/${id}`);
    expect([status, body]).toEqual([200, { faultstring: 'Action cannot be canceled. State = succeeded.' }]);
    await api.ada.delete('executions/abc').expect(404);
  });
});
