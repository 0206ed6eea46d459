import { StringDecoder } from 'node:string_decoder';
import { OutputCapture, type OutputStream } from '@switchyard/subprocess';

/** Takes output that is to be shown while a command runs. */
export type ShowOutput = (stream: OutputStream, text: string) => void | Promise<void>;

/** Where the output of one command on one host goes: the head of it into the result, all of it to those who watch. */
export class RemoteOutput {
  readonly #show: ShowOutput;
  readonly #wholeLines: boolean;
  readonly #streams: Readonly<Record<OutputStream, { capture: OutputCapture; decoder: StringDecoder; line: string }>>;
  /** The first failure of whoever watches; the command goes on. */
  error: unknown;

  /** @param wholeLines where several hosts write to the same stream, so that their lines do not mix */
  constructor(show: ShowOutput, maxBytes: number, wholeLines: boolean) {
    const stream = () => ({ capture: new OutputCapture(maxBytes), decoder: new StringDecoder('utf8'), line: '' });
    this.#show = show;
    this.#wholeLines = wholeLines;
    this.#streams = { stdout: stream(), stderr: stream() };
  }

  /** @returns while it is pending, the command has to wait */
  take(name: OutputStream, chunk: Buffer): Promise<void> | undefined {
    const stream = this.#streams[name];
    stream.capture.add(chunk);
    const text = stream.line + stream.decoder.write(chunk);
    const end = this.#wholeLines ? wholeLinesEnd(text) : text.length;
    stream.line = text.slice(end);
    return this.#hand(name, text.slice(0, end));
  }

  async finish(): Promise<Readonly<Record<OutputStream, ReturnType<OutputCapture['finish']>>>> {
    const { stdout, stderr } = this.#streams;
    await this.#hand('stdout', stdout.line + stdout.decoder.end());
    await this.#hand('stderr', stderr.line + stderr.decoder.end());
    return { stdout: stdout.capture.finish(), stderr: stderr.capture.finish() };
  }

  #hand(name: OutputStream, text: string): Promise<void> | undefined {
    if (text === '') return undefined;
    try {
      return this.#show(name, text)?.catch((thrown: unknown) => void (this.error ??= thrown));
    } catch (thrown) {
      this.error ??= thrown;
      return undefined;
    }
  }
}

/** A line without an end is not held back for ever. */
const LONGEST_LINE = 65_536;

const wholeLinesEnd = (text: string): number => (text.length > LONGEST_LINE ? text.length : text.lastIndexOf('\n') + 1);
