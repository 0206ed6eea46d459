// `npm start [-- --config-file FILE]`: prepares the checkout, then hands over to `svc up`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import './prepare.mjs';

const svc = fileURLToPath(new URL('../apps/cli/dist/main.js', import.meta.url));
const child = spawn(process.execPath, [svc, 'up', ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal sends its signals to the whole group; only those that were sent to this process alone are passed on.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
process.on('SIGINT', () => undefined);
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
