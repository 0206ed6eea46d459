// `npm start [-- --config-file FILE]`: prepares the checkout, then runs `svc up`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import './prepare.mjs';

const svc = fileURLToPath(new URL('../apps/cli/dist/main.js', import.meta.url));
const child = spawn(process.execPath, [svc, 'up', ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal signals the whole process group, so this forwards only signals that were sent to this process alone.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
process.on('SIGINT', () => undefined);
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
