import { ApiError, type Client } from '@switchyard/client';
import { exitCodes } from '../exit-codes';
import type { CommandContext } from '../program/command-context';

/** Whether a pack has its virtual environment now. */
export interface SetUpPack {
  readonly pack: string;
  readonly virtualenv: 'ready' | 'not needed' | 'failed';
}

/**
 * Has the server give packs their virtual environments, one after the other, and tells of each as soon as it is over. One that
 * fails makes the command fail, and the others go on.
 */
export async function setUpPacks(
  context: CommandContext,
  { packs }: Client,
  refs: readonly string[],
  how: { recreate: boolean },
): Promise<SetUpPack[]> {
  const done: SetUpPack[] = [];
  for (const pack of refs) {
    context.terminal.stderr.write(`Setting up the pack "${pack}"\n`);
    done.push({ pack, virtualenv: await setUp(context, packs, pack, how) });
  }
  return done;
}

async function setUp(
  context: CommandContext,
  packs: Client['packs'],
  pack: string,
  how: { recreate: boolean },
): Promise<SetUpPack['virtualenv']> {
  try {
    return (await packs.setUp(pack, how)) ? 'ready' : 'not needed';
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    // The last lines of pip, one below the other.
    context.terminal.stderr.write(`ERROR: ${error.faultstring.trimEnd()}\n`);
    context.exitCode = exitCodes.failed.code;
    return 'failed';
  }
}
