#!/usr/bin/env node
import { exitCodes } from './exit-codes';
import { processTerminal } from './terminal';
import { version } from './version';

// Whoever reads the output may stop doing so at any time (`svc action list | head`).
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
  // Loaded only now, so that the plain question for the version, which scripts ask, is answered at once.
  const { runProgram } = await import('./program/run-program.js');
  process.exitCode = await runProgram(words, processTerminal(), version());
}

void main(process.argv.slice(2));
