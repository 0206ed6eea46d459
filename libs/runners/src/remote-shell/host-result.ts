import { messageOf, type DataLimits } from '@switchyard/base';
import type { RunResult } from '../runner-plugin';
import { shellResult, type ShellSettings } from '../shell/shell-command';
import type { RemoteEnd } from './command/remote-command';

/** The output of one host. */
export interface HostResult {
  readonly status: RunResult['status'];
  readonly entry: Readonly<Record<string, unknown>>;
  readonly truncated: boolean;
  /** Why the host was not reached. Nothing was done there. */
  readonly unreachable?: string;
}

/** The exit code for hosts on which nothing could run, as ssh reports it. */
const NOT_RUN = 255;
const WRONG_PASSWORD = -1;

/** The result entry of a host whose command ended. */
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

/** The result entry of a host whose command did not run, or whose outcome is unknown. */
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
      // Clients print a traceback if there is one; a stack of this service would not help them.
      traceback: '',
    },
    ...(!isReached && { unreachable: error }),
  };
}
