// `svc` in a process that answers each message of the bench with the processor time that it has used so far.
import { join } from 'node:path';
import { ROOT } from '../system/system-process';

process.on('message', () => process.send?.(process.cpuUsage()));
// The channel must not keep a stopped system from exiting.
process.channel?.unref();
void import(join(ROOT, 'apps/cli/dist/main.js'));
