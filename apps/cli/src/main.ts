#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from './exit-codes';
import { processTerminal } from './terminal';

// The reader of the output may close it at any time (`svc action list | head`).
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.brokenPipe.code : exitCodes.failed.code);
  });
}

async function main(words: readonly string[]): Promise<void> {
  if (words.length === 1 && words[0] === '--version') {
    process.stdout.write(`${version()}\n`);
    return;
  }
  // Loaded only here, so that `svc --version`, which scripts call, responds at once.
  const { cacheCompiledCode } = await import('@switchyard/assembly/compile-cache');
  cacheCompiledCode(process.env);
  const { runProgram } = await import('./program/run-program.js');
  process.exitCode = await runProgram(words, processTerminal(), version());
}

/** The version of this package, from its package.json. */
function version(): string {
  const text = readFileSync(join(__dirname, '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

void main(process.argv.slice(2));
