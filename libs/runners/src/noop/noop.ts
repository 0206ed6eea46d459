import type { RunnerPlugin } from '../runner-plugin';
import { manifest } from './manifest';

/** Does nothing, with success. */
export const noop: RunnerPlugin = {
  manifest,
  startsProcess: false,
  run: () => ({
    result: Promise.resolve({
      status: 'succeeded',
      result: { failed: false, succeeded: true, return_code: 0 },
    }),
    cancel: () => undefined,
  }),
};
