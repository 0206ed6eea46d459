import { StringDecoder } from 'node:string_decoder';
import { OutputCapture, truncationNote, type CapturedOutput } from '@switchyard/subprocess';
import type { RunAbilities } from '../runner-plugin';
import { errorText } from './powershell/clixml';
import type { HostStream } from './protocol/remote-shell';

interface OutputOptions {
  /** What PowerShell says on standard error has to be read as a whole. */
  readonly isPowerShell: boolean;
  readonly warn: (message: string, error: unknown) => void;
}

/** Keeps the output of a host, and shows it as it comes. */
export class HostOutputs {
  readonly #abilities: RunAbilities;
  readonly #options: OutputOptions;
  readonly #captures: Readonly<Record<HostStream, OutputCapture>>;
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  #isShown = true;

  constructor(abilities: RunAbilities, options: OutputOptions) {
    const { maxOutputBytes } = abilities.config;
    this.#abilities = abilities;
    this.#options = options;
    this.#captures = { stdout: new OutputCapture(maxOutputBytes), stderr: new OutputCapture(maxOutputBytes) };
  }

  async take(stream: HostStream, bytes: Buffer): Promise<void> {
    this.#captures[stream].add(bytes);
    if (stream === 'stdout' || !this.#options.isPowerShell)
      await this.#show(stream, this.#decoders[stream].write(bytes));
  }

  async finish(): Promise<Readonly<Record<HostStream, CapturedOutput>>> {
    const [stdout, stderr] = [this.#captures.stdout.finish(), this.#captures.stderr.finish()];
    const readable = this.#options.isPowerShell ? this.#readable(stderr) : stderr;
    await this.#show('stdout', this.#decoders.stdout.end());
    await this.#show('stderr', this.#options.isPowerShell ? readable.text : this.#decoders.stderr.end());
    return { stdout, stderr: readable };
  }

  #readable(stderr: CapturedOutput): CapturedOutput {
    const note = stderr.truncated ? truncationNote(this.#abilities.config.maxOutputBytes, stderr.bytes) : '';
    const text = stderr.text.slice(0, stderr.text.length - note.length);
    return { ...stderr, text: errorText(text) + note };
  }

  /** What nobody takes is still in the result. */
  async #show(stream: HostStream, text: string): Promise<void> {
    if (text === '' || !this.#isShown) return;
    try {
      await this.#abilities.output(stream, text);
    } catch (thrown) {
      this.#isShown = false;
      this.#options.warn('Output of an execution was not taken.', thrown);
    }
  }
}
