import { fault, type Fault } from '@switchyard/base';

/** The error for an unknown runner. For former names of the reference, it names the successor. */
export function unknownRunner(name: string): Fault {
  const newName = RENAMED.get(name);
  if (newName !== undefined) return fault('runner.renamed', { name, newName });
  const successor = REMOVED.get(name);
  if (successor !== undefined) return fault('runner.removed', { name, newName: successor });
  return fault('runner.unknown', { name });
}

/** The reference renamed its runners in version 0.9. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['run-local', 'local-shell-cmd'],
  ['run-local-script', 'local-shell-script'],
  ['run-remote', 'remote-shell-cmd'],
  ['run-remote-script', 'remote-shell-script'],
  ['run-python', 'python-script'],
  ['run-http', 'http-request'],
  ['http-runner', 'http-request'],
]);

/** Removed runners, and the current ones that replace them with other parameters or another language. */
const REMOVED: ReadonlyMap<string, string> = new Map([
  ['windows-cmd', 'winrm-cmd'],
  ['windows-script', 'winrm-ps-script'],
  ['mistral-v1', 'orquesta'],
  ['mistral-v2', 'orquesta'],
  ['cloudslang', 'orquesta'],
]);
