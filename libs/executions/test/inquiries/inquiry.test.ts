import { isFault } from '@switchyard/base';
import type { Status } from '@switchyard/model';
import { anExecution } from '@switchyard/testkit/platform';
import { checkOpen, checkResponder, checkResponse, expiryOf, inquiryOf } from '../../src/inquiries';

const outcome = (check: () => void): string => {
  try {
    check();
    return 'fine';
  } catch (error) {
    return isFault(error) ? `${error.status} ${error.message}` : String(error);
  }
};

const asked = (given: Record<string, unknown> = {}) => inquiryOf({ _id: 'q' }, { schema: {}, ...given });

describe('an inquiry', () => {
  it.each<[Status, string]>([
    ['pending', 'fine'],
    ['timeout', '400 Inquiry "q" timed out and cannot be responded to.'],
    ['succeeded', '400 Inquiry "q" has already been responded to.'],
    ['canceled', '400 Inquiry "q" is canceled and cannot be responded to.'],
    ['failed', '400 Inquiry "q" is failed and cannot be responded to.'],
    ['running', '409 Inquiry "q" has not been asked yet. Try again.'],
    ['scheduled', '409 Inquiry "q" has not been asked yet. Try again.'],
  ])('that is %s: %s', (status, text) => {
    expect(outcome(() => checkOpen(anExecution({ _id: 'q', runner_name: 'inquirer', status })))).toBe(text);
  });

  it('must belong to the inquirer runner', () => {
    const record = anExecution({ _id: 'q', runner_name: 'noop', status: 'pending' });
    expect(outcome(() => checkOpen(record))).toBe('400 Action execution "q" is not an inquiry.');
  });

  it.each([
    ['no users or roles', {}, undefined, true],
    ['this user', { users: ['ada', 'bob'] }, undefined, true],
    ['another user', { users: ['bob'] }, undefined, false],
    ['a role that the user has', { roles: ['ops'] }, ['ops', 'dev'], true],
    ['a role that the user does not have', { roles: ['ops'] }, ['dev'], false],
    ['a role, while roles are not in use', { roles: ['ops'] }, undefined, true],
    ['user and role, of which one fits', { users: ['ada'], roles: ['ops'] }, ['dev'], false],
    ['user and role', { users: ['ada'], roles: ['ops'] }, ['ops'], true],
  ])('for %s', (_, given, roles, allowed) => {
    const responder = { user: 'ada', ...(roles ? { roles } : {}) };
    expect(outcome(() => checkResponder(asked(given), responder))).toBe(
      allowed ? 'fine' : '403 User "ada" does not have permission to respond to inquiry "q".',
    );
  });

  const schema = {
    type: 'object',
    properties: {
      colour: { type: 'string', enum: ['red', 'blue'], required: true },
      why: { type: 'string', default: 'none given' },
      note: { type: 'string' },
    },
    additionalProperties: false,
  };

  it.each([
    [{ colour: 'red' }, 'fine'],
    [{ colour: 'red', note: null }, 'fine'],
    [{ colour: 'mauve' }, "'mauve' is not one of ['red', 'blue']"],
    [{}, "'colour' is a required property"],
    [{ colour: 'red', other: 1 }, "Additional properties are not allowed ('other' was unexpected)"],
  ])('checks the response %j: %s', (response, text) => {
    const said = outcome(() => checkResponse(asked({ schema }), response));
    expect(said).toBe(text === 'fine' ? text : `400 Response for inquiry "q" did not pass schema validation. ${text}`);
  });

  it('expires after its time to live in minutes, or never', () => {
    const record = anExecution({
      start_timestamp: 1,
      log: [
        { status: 'requested', timestamp: 1 },
        { status: 'pending', timestamp: 5_000_000 },
      ],
    });
    expect(expiryOf(record, asked({ ttl: 2 }))).toBe(125_000_000);
    expect(expiryOf(record, asked({ ttl: 0 }))).toBeUndefined();
    expect(expiryOf(record, asked({ ttl: -1 }))).toBeUndefined();
  });
});
