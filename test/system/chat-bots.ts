import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { endsWithUs } from './ends-with-us';
import { ROOT, type SystemProcess } from './system-process';

/** Where `.ci/run` installs the packages that `hubot/package-lock.json` lists. */
const INSTALLED = process.env['SVC_TEST_HUBOT'] ?? join(homedir(), '.cache/switchyard/hubot');
const PACKAGES = join(INSTALLED, 'node_modules');
/** A checkout of StackStorm's plug-in, which no package registry offers. */
const PLUGIN = process.env['SVC_TEST_HUBOT_PLUGIN'];

/** A chat bot: its command, and the folder to run it in. */
interface BotProgram {
  readonly name: string;
  readonly args: readonly string[];
  /** The lines that it prints, in any order, before it accepts commands. */
  readonly ready: readonly RegExp[];
  /** The reason why it cannot run here. */
  readonly missing?: string;
}

const notInstalled = (): { missing?: string } =>
  existsSync(join(PACKAGES, 'st2client'))
    ? {}
    : { missing: `test/system/hubot/package-lock.json is not installed in ${INSTALLED}` };

const withoutPlugin = (): { missing?: string } =>
  PLUGIN === undefined ? { missing: 'SVC_TEST_HUBOT_PLUGIN does not name a checkout of hubot-stackstorm' } : {};

const { missing } = notInstalled();
if (missing !== undefined && process.env['CI'] === 'true') throw new Error(`CI has to test chat bots, but ${missing}.`);

const LOADED = /commands are loaded/;

/** A test bot on StackStorm's client for JavaScript, and StackStorm's plug-in in Hubot with its shell. */
export const BOTS: readonly BotProgram[] = [
  {
    name: "a bot on StackStorm's JavaScript client",
    args: [join(ROOT, 'test/system/hubot/bot.cjs')],
    ready: [LOADED],
    ...notInstalled(),
  },
  {
    name: "StackStorm's Hubot plug-in",
    args: [
      join(PACKAGES, 'hubot/bin/Hubot.mjs'),
      ...['--adapter', 'Shell', '--name', 'bot', '--disable-httpd'],
      ...['--require', join(PLUGIN ?? '', 'src')],
    ],
    // Hubot does not wait for its scripts.
    ready: [LOADED, /Parsing help for \S*hubot-help/],
    ...withoutPlugin(),
    ...notInstalled(),
  },
];

/** A running bot, seen from its chat. */
export interface ChatBot {
  say(text: string): void;
  /** Waits until the bot has posted a matching message. */
  heard(pattern: RegExp): Promise<void>;
  /** All messages that it has posted. */
  chat(): string;
  stop(): Promise<void>;
}

export function startBot({ args }: BotProgram, { api, auth, stream }: BotAddresses): ChatBot {
  const directory = mkdtempSync(join(tmpdir(), 'svc-chat-bot-'));
  writeFileSync(join(directory, 'external-scripts.json'), '["hubot-help"]');
  const child = spawn(process.execPath, args, {
    cwd: directory,
    env: {
      ...process.env,
      NODE_PATH: PACKAGES,
      HUBOT_LOG_LEVEL: 'debug',
      ST2_API_URL: api,
      ST2_AUTH_URL: auth,
      ST2_STREAM_URL: stream,
      ST2_AUTH_USERNAME: 'testu',
      ST2_AUTH_PASSWORD: 'testp',
    },
  });
  endsWithUs(child, () => void child.kill('SIGKILL'));
  let printed = '';
  const collect = (chunk: Buffer) => void (printed += withoutEmphasis(chunk.toString()));
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return {
    say: (text) => void child.stdin.write(`${text}\n`),
    heard: (pattern) => heard(child, pattern, () => printed),
    chat: () => printed,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill();
        await once(child, 'exit');
      }
      rmSync(directory, { recursive: true });
    },
  };
}

export type BotAddresses = Pick<SystemProcess, 'api' | 'auth' | 'stream'>;

/** Hubot's shell prints messages in bold. */
const withoutEmphasis = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, '');

async function heard(child: ChildProcess, pattern: RegExp, printed: () => string): Promise<void> {
  const streams = [child.stdout, child.stderr];
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (!pattern.test(printed())) return;
      finish();
      resolve();
    };
    const fail = () => {
      finish();
      reject(new Error(`The bot ended without ${pattern.source}:\n${printed()}`));
    };
    const finish = () => {
      for (const stream of streams) stream?.off('data', look);
      child.off('exit', fail);
    };
    for (const stream of streams) stream?.on('data', look);
    child.once('exit', fail);
    look();
  });
}
