import type { DefinitionRecord, ExecutionRecord, NotifySpec } from '@switchyard/model';
import { anExecution } from '@switchyard/testkit/platform';
import { notifyOf } from '../src/tell-end';

const own: NotifySpec = { 'on-complete': { routes: ['of the action'] } };
const ofTask: NotifySpec = { 'on-success': { routes: ['of the task'] } };
const ofChain: NotifySpec = { 'on-failure': { routes: ['of the chain'] } };

const parent = (parameters: Record<string, unknown>): ExecutionRecord =>
  anExecution({ _id: 'p', parameters, notify: ofChain, definition: 'd' });

const presetSkips = { action: { parameters: { skip_notify: { default: ['build'] } } } } as unknown as DefinitionRecord;

const sources = (parameters: Record<string, unknown>, definition?: DefinitionRecord) => ({
  records: { get: async (id: string) => (id === 'p' ? parent(parameters) : undefined) },
  definitions: { get: async () => definition },
});

const task = (chain?: Record<string, unknown>): ExecutionRecord =>
  anExecution({ notify: own, parent: 'p', context: chain ? { chain } : {} });

describe('the notification of a task of a chain', () => {
  it.each<[string, ExecutionRecord, ReturnType<typeof sources>, NotifySpec]>([
    ['is that of its action', task({ name: 'build' }), sources({}), own],
    ['is that of its action unless the chain skips it', task({ name: 'build' }), sources({ skip_notify: ['x'] }), own],
    ['is that of the task when the chain skips it', task({ name: 'build', notify: ofTask }), sources({ skip_notify: ['build'] }), ofTask], // oxfmt-ignore
    ['is that of the chain when the task has none', task({ name: 'build', notify: {} }), sources({ skip_notify: ['build'] }), ofChain], // oxfmt-ignore
    [
      'is skipped by default if the request does not name the task',
      task({ name: 'build' }),
      sources({}, presetSkips),
      ofChain,
    ],
    ['follows the request, not the default', task({ name: 'build' }), sources({ skip_notify: ['x'] }, presetSkips), own], // oxfmt-ignore
    ['is that of its action when the chain is gone', { ...task({ name: 'build' }), parent: 'gone' }, sources({}), own],
    ['is that of the execution outside of chains', task(), sources({ skip_notify: ['build'] }), own],
  ])('%s', async (_, record, given, expected) => {
    expect(await notifyOf(given, record)).toEqual(expected);
  });

  it('is empty when none is requested', async () => {
    const { notify: _, ...silent } = task();
    expect(await notifyOf(sources({}), silent)).toBeUndefined();
  });
});
