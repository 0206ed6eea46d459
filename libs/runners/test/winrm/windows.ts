import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isGroupAlive } from '../processes';

/** The state of a shell on the host. */
export interface Surroundings {
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** A running or finished command. */
export interface HostCommand {
  readonly pending: Readonly<Record<'stdout' | 'stderr', Buffer[]>>;
  exitCode: number | undefined;
  /** Settles when there is output, or at the end. */
  changed: Promise<void>;
  kill(): Promise<void>;
}

const LONGEST_COMMAND = 8191;

/** A fake Windows: `sh` runs command lines and PowerShell code; commands that copy scripts are emulated. */
export class Windows {
  readonly #temp = mkdtempSync(join(tmpdir(), 'winrm-test-'));
  /** Command lines; those of PowerShell are decoded. */
  readonly commands: string[] = [];
  /** Whether copying to the host fails. */
  isFull = false;

  /** Copied scripts that still exist. */
  leftovers = (): string[] => readdirSync(this.#temp);

  remove(): void {
    rmSync(this.#temp, { recursive: true });
  }

  start(line: string, surroundings: Surroundings): HostCommand {
    const code = /^powershell -encodedcommand (\S+)$/.exec(line)?.[1];
    if (line.length > LONGEST_COMMAND) return ended(1, 'The command line is too long.');
    if (code === undefined) return this.#shell(line, line, surroundings, false);
    return this.#powerShell(Buffer.from(code, 'base64').toString('utf16le'), surroundings);
  }

  #powerShell(text: string, surroundings: Surroundings): HostCommand {
    const folder = join(this.#temp, /'(svc-[0-9a-f]+)/.exec(text)?.[1] ?? 'none');
    const file = join(folder, 'script.ps1');
    const chunk = /FromBase64String\('([^']*)'\)/.exec(text)?.[1];
    if (chunk !== undefined && this.isFull) return ended(1, clixml('No space left.'));
    if (chunk !== undefined) {
      mkdirSync(folder, { recursive: true });
      appendFileSync(file, Buffer.from(chunk, 'base64'));
      this.commands.push('(upload)');
      return ended(0);
    }
    if (text.includes('[IO.Directory]::Delete(')) {
      this.commands.push('(remove)');
      if (existsSync(folder)) rmSync(folder, { recursive: true });
      return ended(0);
    }
    const code = text.includes('[IO.File]::ReadAllText(') ? readFileSync(file, 'utf8') : text;
    const [, script = code, args = ''] = /^& \{(.*)\n\}(.*)$/s.exec(code) ?? [];
    return this.#shell(code, script, { ...surroundings, env: { ...surroundings.env, ARGS: args.trim() } }, true);
  }

  #shell(line: string, script: string, { cwd, env }: Surroundings, isPowerShell: boolean): HostCommand {
    this.commands.push(line);
    const options = { detached: true, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
    const child = spawn('/bin/sh', ['-c', script], {
      ...options,
      env: { PATH: process.env['PATH'], ...env },
      ...(cwd && { cwd }),
    });
    return followed(child, isPowerShell);
  }
}

function ended(exitCode: number, complaint = ''): HostCommand {
  const pending = { stdout: [], stderr: complaint === '' ? [] : [Buffer.from(complaint)] };
  return { pending, exitCode, changed: Promise.resolve(), kill: async () => undefined };
}

function followed(child: ChildProcess, isPowerShell: boolean): HostCommand {
  let wake = () => undefined as void;
  const sleep = () => new Promise<void>((resolve) => (wake = resolve));
  const errors: Buffer[] = [];
  const command: HostCommand = {
    pending: { stdout: [], stderr: [] },
    exitCode: undefined,
    changed: sleep(),
    async kill() {
      if (command.exitCode !== undefined) return;
      const gone = once(child, 'close');
      process.kill(-child.pid!, 'SIGKILL');
      await gone;
      // Killed processes close their output a moment before they are gone.
      while (isGroupAlive(child.pid!)) await delay(1);
    },
  };
  const change = () => {
    wake();
    command.changed = sleep();
  };
  child.stdout!.on('data', (bytes: Buffer) => {
    command.pending.stdout.push(bytes);
    change();
  });
  child.stderr!.on('data', (bytes: Buffer) => {
    (isPowerShell ? errors : command.pending.stderr).push(bytes);
    change();
  });
  child.on('close', (code) => {
    if (isPowerShell) command.pending.stderr.push(Buffer.from(clixml(Buffer.concat(errors).toString())));
    command.exitCode = code ?? 1;
    change();
  });
  return command;
}

/** As PowerShell writes it: progress first, then the error. */
function clixml(errors: string): string {
  const lines = errors.split('\n').filter((line) => line !== '');
  const texts = lines.map(
    (line) => `<S S="Error">${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}_x000D__x000A_</S>`,
  );
  const progress =
    '<Obj S="progress" RefId="0"><TN RefId="0"><T>System.Management.Automation.PSCustomObject</T></TN><MS><I64 N="SourceId">1</I64><PR N="Record"><AV>Preparing modules for first use.</AV><S>noise</S><PI>-1</PI></PR></MS></Obj>';
  return `#< CLIXML\r\n<Objs Version="1.1.0.1" xmlns="http://schemas.microsoft.com/powershell/2004/04">${progress}${texts.join('')}</Objs>`;
}
