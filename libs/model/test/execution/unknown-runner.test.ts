import { unknownRunner } from '@switchyard/model';

it.each([
  ['run-local', 'The new name of run-local is local-shell-cmd.'],
  ['run-local-script', 'The new name of run-local-script is local-shell-script.'],
  ['run-remote', 'The new name of run-remote is remote-shell-cmd.'],
  ['run-remote-script', 'The new name of run-remote-script is remote-shell-script.'],
  ['run-python', 'The new name of run-python is python-script.'],
  ['run-http', 'The new name of run-http is http-request.'],
  ['http-runner', 'The new name of http-runner is http-request.'],
  ['windows-cmd', 'windows-cmd was removed; use winrm-cmd instead.'],
  ['windows-script', 'windows-script was removed; use winrm-ps-script instead.'],
  ['mistral-v1', 'mistral-v1 was removed; use orquesta instead.'],
  ['mistral-v2', 'mistral-v2 was removed; use orquesta instead.'],
  ['cloudslang', 'cloudslang was removed; use orquesta instead.'],
])('the former runner %s is rejected with its successor', (name, text) => {
  const { message, status } = unknownRunner(name);
  expect([status, message]).toEqual([400, expect.stringMatching(/^RunnerType \S+ is not found\. /)]);
  expect(message.endsWith(` ${text}`)).toBe(true);
});

it.each(['nope', 'constructor', ''])(
  'the unknown runner %j is rejected with the message that clients expect',
  (name) => {
    expect(unknownRunner(name).message).toBe(
      `RunnerType ${name} is not found. If you are using old and deprecated runner name, you need to switch to a new one. ` +
        'For more information, please see https://docs.stackstorm.com/upgrade_notes.html#st2-v0-9',
    );
  },
);
