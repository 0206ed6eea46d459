import { messageOf, type DataLimits } from '@switchyard/base';
import type { RunResult } from '../runner-plugin';
import type { ShellSettings } from '../shell/shell-parameters';
import { shellResult } from '../shell/shell-result';
import type { RemoteEnd } from './command/remote-command';

/** What came out on one host. */
export interface HostResult {
  readonly status: RunResult['status'];
  readonly entry: Readonly<Record<string, unknown>>;
  readonly truncated: boolean;
  /** Why the host was not reached: nothing was done there. */
  readonly unreachable?: string;
}

/** The code of hosts on which nothing could be run, as that of ssh itself. */
const NOT_RUN = 255;
const WRONG_PASSWORD = -1;

/** The entry of a host on which the command has ended, in the form of sections 9 and 10 of the interface sheet. */
export async function endedHost(
  end: RemoteEnd,
  shell: ShellSettings,
  user: string,
  limits: DataLimits,
): Promise<HostResult> {
  const { status, result, truncated = false } = await shellResult(end, shell, user, limits);
  const entry = end.isPasswordWrong && end.cause === 'exit' ? { ...result, ...wrongPassword(user) } : result;
  const extra = end.cause === 'timeout' ? { timeout: true, traceback: '' } : {};
  return { status, entry: { ...entry, ...extra }, truncated };
}

const wrongPassword = (user: string) => ({
  failed: true,
  succeeded: false,
  return_code: WRONG_PASSWORD,
  error: `Invalid sudo password provided or sudo is not configured for this user (${user})`,
});

/** The entry of a host on which the command was not run, or whose answer is not known. */
export function failedHost(thrown: unknown, status: 'failed' | 'canceled' | 'timeout', isReached: boolean): HostResult {
  const error = messageOf(thrown);
  return {
    status,
    truncated: false,
    entry: {
      failed: true,
      succeeded: false,
      return_code: NOT_RUN,
      stdout: '',
      stderr: '',
      timeout: status === 'timeout',
      error,
      // Clients print it where there is one; a stack of this program would tell them nothing.
      traceback: '',
    },
    ...(!isReached && { unreachable: error }),
  };
}
