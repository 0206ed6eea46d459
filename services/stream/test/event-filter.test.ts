import { eventFilter, type StreamQuery } from '../src/event-filter';
import type { ServedEvent } from '../src/stream-events';

const event = (given: Partial<ServedEvent> = {}): ServedEvent => ({
  name: 'execution__update',
  body: { id: 'e1', status: 'running' },
  actionRef: 'core.local',
  executionId: 'e1',
  ...given,
});

describe('an event filter', () => {
  it.each<[StreamQuery, string, boolean]>([
    [{}, 'execution__create', true],
    [{}, 'liveaction__delete', true],
    [{}, 'announcement__anything', true],
    [{}, 'execution.output__create', false],
    [{}, 'actionalias__create', false],
    [{ events: [] }, 'execution__create', true],
    [{ events: ['st2.execution__update'] }, 'execution__update', true],
    [{ events: ['st2.execution__update'] }, 'execution__create', false],
    [{ events: ['st2.execution__*'] }, 'execution__create', true],
    [{ events: ['st2.execution__*'] }, 'execution.output__create', false],
    [{ events: ['st2.execution*'] }, 'execution.output__create', true],
    [{ events: ['*'] }, 'actionalias__create', true],
    [{ events: ['st2.?xecution__update'] }, 'execution__update', true],
    [{ events: ['st2.[el]*__update'] }, 'liveaction__update', true],
    [{ events: ['st2.[!e]*__update'] }, 'execution__update', false],
    [{ events: ['st2.execution.output__create'] }, 'executionXoutput__create', false],
    [{ events: ['st2.[*'] }, '[x', true],
    [{ events: ['execution__update', 'x'] }, 'execution__update', true],
  ])('for %j lets %s through: %p', (query, name, passes) => {
    expect(eventFilter(query).nameFor(event({ name })) !== undefined).toBe(passes);
  });

  it.each<[string[] | undefined, string]>([
    [undefined, 'st2.execution__update'],
    [['st2.execution__update'], 'st2.execution__update'],
    [['execution__update'], 'st2.execution__update'],
    [['svc.execution__update'], 'svc.execution__update'],
    [['svc.*'], 'svc.execution__update'],
  ])('for the names %j names it %s', (events, name) => expect(eventFilter({ events }).nameFor(event())).toBe(name));

  it.each<[string, StreamQuery, Partial<ServedEvent>, boolean]>([
    ['the requested action', { action_refs: ['a.b', 'core.local'] }, {}, true],
    ['another action', { action_refs: ['a.b'] }, {}, false],
    ['the requested execution', { execution_ids: ['e1'] }, {}, true],
    ['another execution', { execution_ids: ['e2'] }, {}, false],
  ])('that names %s passes or drops an event', (_, query, given, passes) => {
    expect(eventFilter(query).nameFor(event(given)) !== undefined).toBe(passes);
  });

  it('drops events without an action or execution when the filter names one', () => {
    const announcement: ServedEvent = { name: 'announcement__x', body: {} };
    expect(eventFilter({ action_refs: ['core.local'] }).nameFor(announcement)).toBeUndefined();
    expect(eventFilter({ execution_ids: ['e1'] }).nameFor(announcement)).toBeUndefined();
  });

  it.each<[StreamQuery, Partial<ServedEvent>, boolean]>([
    [{}, { body: { id: 'e1', status: 'succeeded' } }, false],
    [{ end_event: 'st2.execution__update', end_execution_id: 'e1' }, { body: { id: 'e1', status: 'succeeded' } }, true],
    [{ end_event: 'svc.execution__update', end_execution_id: 'e1' }, { body: { id: 'e1', status: 'canceled' } }, true],
    [{ end_event: 'st2.execution__update', end_execution_id: 'e1' }, {}, false],
    [
      { end_event: 'st2.execution__update', end_execution_id: 'e2' },
      { body: { id: 'e1', status: 'succeeded' } },
      false,
    ],
    [
      { end_event: 'st2.execution__create', end_execution_id: 'e1' },
      { body: { id: 'e1', status: 'succeeded' } },
      false,
    ],
    [
      { end_event: 'st2.announcement__x', end_execution_id: 'e1' },
      { name: 'announcement__x', body: { id: 'e1' } },
      false,
    ],
  ])('with %j ends at %j: %p', (query, given, ends) => expect(eventFilter(query).isLast(event(given))).toBe(ends));
});
