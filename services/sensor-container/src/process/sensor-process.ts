import { KIB, SECOND_MS, type DataLimits } from '@switchyard/base';
import { killMarked, startProcess, type ProcessIdentity, type ProcessResult } from '@switchyard/subprocess';
import { openChannel, type SensorCall } from './channel';
import { GUARDED_START } from './guard';
import type { Launch } from './launch';
import { SensorLineReader } from './line-reader';
import type { FromSensor, SensorTrigger, SensorStartMessage, TriggerChange } from './protocol';

export interface ProcessSettings {
  readonly launch: Launch;
  readonly start: SensorStartMessage;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Value of the environment variable that marks the descendants of this sensor. */
  readonly mark: string;
  readonly graceMs: number;
  /** Called for each message. */
  readonly limits: DataLimits;
  onCall(call: SensorCall): Promise<unknown>;
  onReady(): void;
  onLog(log: Extract<FromSensor, { type: 'log' }>): void;
  /** Called for each line that the process prints. */
  onPrint(stream: 'stdout' | 'stderr', line: string): void;
}

export interface SensorEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The reason for a failure, as reported by the process. */
  readonly reason?: string;
}

/** A running sensor process. */
export interface SensorProcess {
  readonly identity: ProcessIdentity | undefined;
  /** Never rejects. Settles when the process and everything it started have ended. */
  readonly ended: Promise<SensorEnd>;
  tell(change: TriggerChange, trigger: SensorTrigger): void;
  /** Asks the process to end, and kills it after the grace time, with everything that it has started. */
  stop(graceMs?: number): void;
}

export const SENSOR_MARKER = 'SVC_SENSOR_RUN';

const MAX_PRINTED_BYTES = 64 * KIB;
const REMEMBERED_LINES = 5;

export function startSensorProcess(settings: ProcessSettings): SensorProcess {
  const { launch, environment, start, mark, graceMs } = settings;
  const marker = { name: SENSOR_MARKER, value: mark };
  const lastWords = new LastWords();
  const printed = printedLines(settings, lastWords);
  const run = startProcess({
    command: {
      script: GUARDED_START,
      args: ['sensor', String(graceMs / SECOND_MS), `${SENSOR_MARKER}=${mark}`, launch.program, ...launch.args],
    },
    env: { ...environment, ...launch.environment },
    marker,
    graceMs,
    channels: 2,
    maxOutputBytes: 0,
    onOutput: (stream, chunk) => printed[stream].add(chunk),
  });
  const [socket, lifeline] = run.channels;
  lifeline?.on('error', () => undefined);
  const channel =
    socket &&
    openChannel(
      socket,
      settings.limits,
      handlers(settings, lastWords, () => run.end({ graceMs: 0 })),
    );
  channel?.send(start);

  async function follow(): Promise<SensorEnd> {
    const result = await run.result;
    for (const lines of Object.values(printed)) lines.end();
    channel?.close();
    // The guard ends what the process left behind; where processes can be looked up, that happens at once.
    lifeline?.destroy();
    await killMarked(marker);
    const reason = reasonOf(result, lastWords);
    return { exitCode: result.exitCode, signal: result.signal, ...(reason === undefined ? {} : { reason }) };
  }
  return {
    identity: run.identity,
    ended: follow(),
    tell: (change, trigger) => channel?.send({ type: 'trigger', change, trigger }),
    stop(within = graceMs) {
      channel?.send({ type: 'stop' });
      run.end({ graceMs: within });
    },
  };
}

/** The last output of a process, in case it fails. */
class LastWords {
  failure: string | undefined;
  readonly #lines: string[] = [];

  printed(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > REMEMBERED_LINES) this.#lines.shift();
  }

  get text(): string | undefined {
    return this.failure ?? (this.#lines.length > 0 ? this.#lines.join('\n') : undefined);
  }
}

function handlers(settings: ProcessSettings, lastWords: LastWords, end: () => void) {
  return {
    onCall: settings.onCall,
    onNonsense() {
      lastWords.failure ??= 'The process sent an invalid or too long message.';
      end();
    },
    onMessage(message: Exclude<FromSensor, SensorCall>) {
      if (message.type === 'ready') settings.onReady();
      else if (message.type === 'log') settings.onLog(message);
      else {
        lastWords.failure = message.error;
        settings.onLog({ type: 'log', level: 'ERROR', logger: 'sensor', message: message.trace ?? message.error });
      }
    },
  };
}

function printedLines({ onPrint }: ProcessSettings, lastWords: LastWords) {
  const lines = (stream: 'stdout' | 'stderr') =>
    new SensorLineReader(
      MAX_PRINTED_BYTES,
      (line) => {
        if (stream === 'stderr') lastWords.printed(line);
        onPrint(stream, line);
      },
      () => onPrint(stream, `[a line of more than ${MAX_PRINTED_BYTES} bytes was left out]`),
    );
  return { stdout: lines('stdout'), stderr: lines('stderr') };
}

function reasonOf(result: ProcessResult, lastWords: LastWords): string | undefined {
  if (result.spawnError) return result.spawnError.message;
  return result.exitCode === 0 ? undefined : lastWords.text;
}
