'use strict';

const { stat } = require('node:fs/promises');
const { setTimeout: delay } = require('node:timers/promises');

const POLL_MS = 50;

/** Waits until a file exists. */
exports.waitForFile = {
  manifest: {
    name: 'acme-wait-for-file',
    description: 'Waits until a file exists.',
    runner_parameters: {
      path: { type: 'string', description: 'The file to wait for.', required: true },
      timeout: { type: 'integer', description: 'Seconds until the run is stopped.', default: 60 },
      before: { type: 'string', description: 'A line to print before it waits.' },
      after: { type: 'string', description: 'A line to print when the file exists.' },
    },
  },

  // It runs in the process of the action runner, so no token is needed.
  startsProcess: false,

  run({ runnerParameters: { path, timeout = 60, before, after } }, abilities) {
    const stopping = new AbortController();
    const timer = setTimeout(() => stopping.abort('timeout'), timeout * 1000);
    const result = wait(path, stopping.signal, async () => {
      const { size } = await stat(path);
      return { size };
    });
    return {
      result: (async () => {
        if (before) await abilities.output('stdout', `${before}\n`);
        const outcome = await result;
        if (after && outcome.status === 'succeeded') await abilities.output('stdout', `${after}\n`);
        return outcome;
      })().finally(() => clearTimeout(timer)),
      cancel: () => stopping.abort('canceled'),
    };
  },
};

/** Never rejects: a failure is a result too. */
async function wait(path, signal, look) {
  for (;;) {
    if (signal.aborted) return { status: signal.reason, result: { path } };
    try {
      return { status: 'succeeded', result: { path, ...(await look()) } };
    } catch (error) {
      if (error.code !== 'ENOENT') return { status: 'failed', result: { path, error: error.message } };
    }
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
