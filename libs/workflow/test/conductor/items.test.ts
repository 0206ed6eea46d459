import { Conductor, parseWorkflow } from '@switchyard/workflow';
import { Player } from './player';

const inputs = (play: Player): unknown[] =>
  play.conductor.nextTasks().flatMap(({ actions }) => actions.map(({ input }) => input));

const withItems = (items: string, input: string): Player =>
  new Player(`tasks: {t: {action: x.y, with: '${items}', input: {v: ${input}}}}`);

describe('the value of item()', () => {
  it.each([
    ['the element itself without a name', '<% list(1, a) %>', '<% item() %>', [1, 'a']],
    ['an element by its name', 'x in <% list(1, 2) %>', '<% item(x) %>', [1, 2]],
    ['a list by one name unchanged', 'x in <% list(list(2, 3)) %>', '<% item(x) %>', [[2, 3]]],
    ['the parts of a list by several names', 'x, y in <% list(list(2, 3)) %>', '<% item(y) %>', [3]],
    ['a map by one name', 'x in <% list(dict(a => 1)) %>', '<% item(x) %>', [{ a: 1 }]],
  ])('%s', (_name, items, input, expected) => {
    expect(inputs(withItems(items, input))).toEqual(expected.map((v) => ({ v })));
  });
});

describe('a list of items', () => {
  it('ends with an empty result if it is empty', () => {
    const play = new Player(`
output: [{r: <% ctx().r %>}]
tasks: {t: {action: x.y, with: '<% list() %>', next: [{publish: [{r: <% result() %>}]}]}}
`);
    expect(play.conductor.nextTasks()).toMatchObject([{ itemsCount: 0, actions: [] }]);
    play.startAll();
    expect(play.handOut()).toEqual([]);
    expect(play.report('t', 'succeeded')).toBe('succeeded');
    expect(play.conductor.output()).toEqual({ r: [] });
  });

  it('must be a list with a whole number as concurrency', () => {
    const play = withItems('<% 5 %>', '<% item() %>');
    expect(play.handOut()).toEqual([]);
    expect(play.messages()).toEqual(['t: TypeError: The value of "<% 5 %>" is not type of list.']);
    const other = new Player("tasks: {t: {action: x.y, with: {items: '<% list(1) %>', concurrency: <% many %>}}}");
    expect(other.handOut()).toEqual([]);
    expect(other.messages()).toEqual(['t: TypeError: The value of task concurrency is not type of integer.']);
  });

  it('cancels the workflow if an item was canceled, once the others have ended', () => {
    const play = new Player(`
tasks:
  t: {action: x.y, with: '<% list(1, 2, 3) %>', next: [{do: later}]}
  later: {action: x.y}
`);
    play.startAll();
    expect(play.item('t', 1, 'canceled')).toBe('canceling');
    expect(play.task('t')).toBe('canceling');
    expect(play.item('t', 0, 'succeeded')).toBe('canceling');
    expect(play.item('t', 2, 'succeeded')).toBe('canceled');
    expect([play.task('t'), play.handOut()]).toEqual(['canceled', []]);
  });

  it('is evaluated once for all dispatches', () => {
    const spec = parseWorkflow(`
version: 1.0
tasks: {t: {action: x.y, with: {items: "<% st2kv('system.list').split(',') %>", concurrency: '1'}, input: {v: <% item() %>}}}
`);
    const conductor = Conductor.create(spec);
    conductor.requestStatus('running');
    const read = (text: string) => ({ lookups: { datastore: () => text } });
    expect(conductor.nextTasks(read('a,b'))).toMatchObject([
      { itemsCount: 2, concurrency: 1, actions: [{ input: { v: 'a' } }] },
    ]);
    conductor.itemEvent({ task: 't', route: 0, item: 0, status: 'running' });
    conductor.itemEvent({ task: 't', route: 0, item: 0, status: 'succeeded' });
    expect(conductor.nextTasks(read('x,y,z'))).toMatchObject([
      { itemsCount: 2, actions: [{ item: 1, input: { v: 'b' } }] },
    ]);
  });

  it('delays every item, or as many as run at once', () => {
    const delays = (concurrency: string): unknown[] =>
      new Player(`tasks: {t: {action: x.y, delay: 3, with: {items: '<% list(1, 2, 3) %>'${concurrency}}}}`).conductor
        .nextTasks()
        .flatMap(({ actions }) => actions.map(({ delay }) => delay));
    expect(delays('')).toEqual([3, 3, 3]);
    expect(delays(', concurrency: 2')).toEqual([3, 3]);
  });

  it('pauses and resumes with one of its items', () => {
    const play = withItems('<% list(1, 2) %>', '<% item() %>');
    play.startAll();
    play.item('t', 0, 'pending');
    expect([play.task('t'), play.status]).toEqual(['pausing', 'running']);
    expect(play.item('t', 1, 'succeeded')).toBe('paused');
    play.request('resuming');
    expect(play.item('t', 0, 'succeeded')).toBe('succeeded');
  });

  it('takes the events of several items with one call, or none of them', () => {
    const play = withItems('<% list(1, 2, 3) %>', '<% item() %>');
    const event = (item: number, status: 'running' | 'succeeded') => ({ task: 't', route: 0, item, status });
    play.conductor.nextTasks();
    play.conductor.itemEvents([0, 1, 2].map((item) => event(item, 'running')));
    expect(play.task('t')).toBe('running');
    expect(() => play.conductor.itemEvents([event(0, 'succeeded'), event(3, 'succeeded')])).toThrow('no item 3');
    play.conductor.itemEvents([1, 2].map((item) => event(item, 'succeeded')));
    expect([play.task('t'), play.status]).toEqual(['running', 'running']);
    play.conductor.itemEvents([event(0, 'succeeded')]);
    expect([play.task('t'), play.status]).toEqual(['succeeded', 'succeeded']);
  });

  it('ends items once, and only its own', () => {
    const play = withItems('<% list(1, 2) %>', '<% item() %>');
    play.startAll();
    play.item('t', 0, 'succeeded', 'first');
    play.item('t', 0, 'failed', 'second');
    expect(play.messages()).toEqual([]);
    expect(() => play.item('t', 2, 'running')).toThrow('Task "t" has no item 2 to start or to end.');
  });

  it('keeps pausing when the workflow is canceled, and is canceled with its last item', () => {
    const play = withItems('<% list(1, 2) %>', '<% item() %>');
    play.startAll();
    play.item('t', 0, 'pending');
    play.request('canceling');
    expect(play.item('t', 0, 'canceled')).toBe('canceling');
    expect(play.task('t')).toBe('pausing');
    expect(play.item('t', 1, 'succeeded')).toBe('canceled');
  });

  it('stops when the workflow pauses because of another task', () => {
    const play = new Player(`
tasks: {a: {action: x.y}, t: {action: x.y, with: {items: '<% list(1, 2) %>', concurrency: 1}}}
`);
    play.startAll();
    expect(play.report('a', 'pending')).toBe('pausing');
    expect(play.item('t', 0, 'succeeded')).toBe('paused');
    play.request('resuming');
    play.report('a', 'succeeded');
    expect(play.startAll()).toEqual(['t#1']);
    expect(play.item('t', 1, 'succeeded')).toBe('succeeded');
  });
});
