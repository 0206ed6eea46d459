import { spawn } from 'node:child_process';
import type { Terminal } from '../terminal';

/**
 * Opens an address in the browser of the user. It is not known whether a page appears.
 * @returns false if there is no browser
 */
export function openBrowser(env: Terminal['env'], address: string, platform = process.platform): boolean {
  const command = browserCommand(env, platform);
  if (command === undefined) return false;
  const [program, ...parameters] = command;
  const child = spawn(program, [...parameters, address], { env: { ...env }, stdio: 'ignore', detached: true });
  // The terminal shows the address as well.
  child.on('error', () => undefined);
  child.unref();
  return true;
}

/** `BROWSER` is one program here. Lists and patterns are left to `xdg-open`, which also reads this variable. */
export function browserCommand(env: Terminal['env'], platform: NodeJS.Platform): [string, ...string[]] | undefined {
  const stated = env['BROWSER'];
  if (stated && !/[:%\s]/.test(stated)) return [stated];
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return stated || env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
}
