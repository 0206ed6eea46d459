import type { DataLimits } from '@switchyard/base';
import type { CapturedOutput } from '@switchyard/subprocess';
import type { RunResult } from '../runner-plugin';
import { outputValue } from '../shell/json-output';
import type { HostStream } from './protocol/remote-shell';

/** How a run came to its end. */
export type HostEnd =
  | { readonly cause: 'exit'; readonly exitCode: number }
  | { readonly cause: 'timeout'; readonly seconds: number }
  | { readonly cause: 'canceled' };

/** What clients know as the return code of a command that was not left to end. */
const NOT_ENDED = -1;

/** The result in the form of sections 9 and 14 of the interface sheet "execution". */
export async function winrmResult(
  end: HostEnd,
  { stdout, stderr }: Readonly<Record<HostStream, CapturedOutput>>,
  limits: DataLimits,
): Promise<RunResult> {
  const status = statusOf(end);
  return {
    status,
    result: {
      failed: status !== 'succeeded',
      succeeded: status === 'succeeded',
      return_code: end.cause === 'exit' ? end.exitCode : NOT_ENDED,
      stdout: await outputValue(stdout.text, stdout.truncated, limits),
      stderr: await outputValue(stderr.text, stderr.truncated, limits),
      ...(end.cause === 'timeout' && { error: `Action failed to complete in ${end.seconds} seconds` }),
    },
    truncated: stdout.truncated || stderr.truncated,
  };
}

function statusOf(end: HostEnd): RunResult['status'] {
  if (end.cause !== 'exit') return end.cause;
  return end.exitCode === 0 ? 'succeeded' : 'failed';
}
