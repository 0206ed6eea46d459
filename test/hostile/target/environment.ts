import { join } from 'node:path';
import type { Turns } from './turns';

/** The environment for every process of a system under attack. */
export const targetEnvironment = (turns: Turns): Record<string, string> => ({
  ...turns.environment,
  // Nothing that a request names is fetched from the network.
  SVC_CONTENT__INDEX_URL: 'http://127.0.0.1:1/index.json',
  GIT_ALLOW_PROTOCOL: 'file',
  NODE_OPTIONS: `--require ${join(__dirname, 'collect-on-signal.js')} --require ${join(__dirname, 'record-turns.js')}`,
});
