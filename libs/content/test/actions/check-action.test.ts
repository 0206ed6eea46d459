import { checkAction } from '../../src';
import { PackDirectories, writeFiles } from '../support/pack-directory';
import { recordedScenarios, type RecordedStep } from '../support/recordings';
import { runnerTypes } from '../support/runner-types';

describe('checkAction', () => {
  const directories = new PackDirectories();
  afterEach(() => directories.clear());

  async function check(input: unknown, pack?: string) {
    const root = await directories.root();
    for (const name of ['default', 'examples', 'core'])
      await writeFiles(`${root}/${name}`, { 'actions/README.md': '' });
    await writeFiles(`${root}/bare`, { 'pack.yaml': '' });
    return checkAction(input, { runnerTypes, roots: [root], ...(pack === undefined ? {} : { pack }) });
  }

  const action = (more: object = {}) => ({ name: 'a', runner_type: 'noop', ...more });

  it('fills in defaults', async () => {
    const { action: draft, dataFiles, packDirectory } = await check(action());
    expect(draft).toMatchObject({
      ref: 'default.a',
      uid: 'action:default:a',
      enabled: true,
      entry_point: '',
      parameters: {},
      tags: [],
      notify: {},
      metadata_file: '',
    });
    expect(draft.output_schema).toMatchObject({ properties: {}, required: false });
    expect(dataFiles).toEqual([]);
    expect(packDirectory).toMatch(/\/default$/);
  });

  it('uses the pack of the caller for an action that names none', async () => {
    expect((await check(action(), 'examples')).action.ref).toBe('examples.a');
  });

  it('ignores computed fields and keeps fields that StackStorm does not have', async () => {
    const { action: draft } = await check(action({ id: '5', ref: 'x.y', uid: 'z', idempotent: true }));
    expect(draft).toMatchObject({ ref: 'default.a', uid: 'action:default:a', idempotent: true });
  });

  it('fills in defaults for null', async () => {
    const { action: draft } = await check(action({ metadata_file: null, output_schema: null }));
    expect(draft).toMatchObject({ metadata_file: '', output_schema: { properties: {} } });
  });

  it('names the routes of each section of notify, and leaves out empty sections', async () => {
    const notify = { 'on-success': {}, 'on-complete': { message: 'm', data: {} }, 'on-failure': { channels: ['a'] } };
    expect((await check(action({ notify }))).action.notify).toEqual({
      'on-complete': { message: 'm', routes: ['notify.default'] },
      'on-failure': { routes: ['a'] },
    });
  });

  it.each([
    ['a list', [], "[] is not of type 'object'"],
    ['nothing', null, "None is not of type 'object'"],
    ['a wrong type', action({ tags: [{ name: 'x', value: 5 }] }), "5 is not of type 'string'"],
    ['a computed field of a wrong type', action({ ref: 5 }), "5 is not of type 'string'"],
    ['an invalid output schema', action({ output_schema: { type: 'strin' } }), /'strin' is not valid/],
    ['the core pack', action({ pack: 'core' }), "Resources belonging to system level packs can't be manipulated"],
    [
      'a pack without actions',
      action({ pack: 'bare' }),
      /^Content pack "bare" is not found or doesn't contain actions directory\. Searched in: \//,
    ],
    ['a pack that is a path', action({ pack: '../default' }), /^Content pack/],
    ['an entry point outside of the pack', action({ entry_point: '../../x' }), /outside its pack/],
    [
      'a nested definition that files may have',
      action({ parameters: { p: { type: 'object', properties: { k: { required: true } } } } }),
      /True is not of type 'array'/,
    ],
  ])('refuses %s', async (_, input, message) => {
    const expected = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
    await expect(check(input)).rejects.toMatchObject({ status: 400, message: expected });
  });

  it.each([
    ['run-http', 'The new name of run-http is http-request.'],
    ['windows-cmd', 'windows-cmd was removed; use winrm-cmd instead.'],
  ])('names the replacement of the former runner %s', async (runner_type, text) => {
    await expect(check(action({ runner_type }))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(text) as string,
    });
  });

  describe('with recorded requests', () => {
    const scenarios = recordedScenarios('executions.jsonl', 'actions/');
    const known = new Set(runnerTypes.map(({ name }) => name));
    const steps = scenarios.flatMap(({ name, steps: all }) =>
      all
        .filter(
          (step) => writesAction(step) && (step.expect.status !== 201 || known.has(String(step.body?.runner_type))),
        )
        .map((step, index) => ({ name: `${name} (${index + 1})`, step })),
    );

    it('has enough recorded requests, or none', () => expect(scenarios.length === 0 || steps.length > 40).toBe(true));

    const each: typeof it.each = steps.length > 0 ? it.each : () => () => undefined;
    each(steps)('responds to $name as recorded', async ({ step }) => {
      const { status, body } = step.expect;
      const checked = check(step.body ?? {});
      if (status >= 400) {
        const message = body?.faultstring;
        // Paths of data files are checked when they are written.
        if (/^Invalid file path/.test(String(message))) {
          expect((await checked).dataFiles).not.toEqual([]);
          return;
        }
        await expect(checked).rejects.toMatchObject({ status: 400, ...(step.message ? { message } : {}) });
        return;
      }
      const { id: _, uid, ref, ...shown } = body as Record<string, unknown>;
      expect((await checked).action).toMatchObject({ ...shown, uid, ref });
    });
  });
});

function writesAction({ do: request, defect, expect: { status } }: RecordedStep): boolean {
  return (
    /^(POST|PUT) \/v1\/actions(\/[^/]*)?$/.test(request) && [200, 201, 400].includes(status) && defect === undefined
  );
}
