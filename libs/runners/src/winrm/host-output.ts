import { StringDecoder } from 'node:string_decoder';
import { OutputCapture, truncationNote, type CapturedOutput } from '@switchyard/subprocess';
import type { RunAbilities } from '../runner-plugin';
import type { HostStream } from './protocol/remote-shell';
import { readXml } from './protocol/xml-reader';

interface OutputOptions {
  /** PowerShell's standard error must be parsed as a whole. */
  readonly isPowerShell: boolean;
  readonly warn: (message: string, error: unknown) => void;
}

/** Collects the output of a host and passes it on as it arrives. */
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

  /** Watchers may fail; the result still has all output. */
  async #show(stream: HostStream, text: string): Promise<void> {
    if (text === '' || !this.#isShown) return;
    try {
      await this.#abilities.output(stream, text);
    } catch (thrown) {
      this.#isShown = false;
      this.#options.warn('Output of an execution was not accepted.', thrown);
    }
  }
}

const HEAD = /^\uFEFF?#< CLIXML\r?\n/;

/**
 * Converts PowerShell's standard error to text. Without a console, PowerShell writes objects as XML there. Keeps their texts,
 * drops progress records, and leaves anything else unchanged.
 */
export function errorText(stderr: string): string {
  const head = HEAD.exec(stderr)?.[0];
  if (head === undefined) return stderr;
  const { top } = readXml(stderr.slice(head.length));
  if (top.children.length === 0 && stderr.length > head.length) return stderr;
  const texts = top.children.flatMap(({ children }) => children.filter(({ name }) => name === 'S'));
  return texts
    .map(({ text }) => unescaped(text))
    .join('')
    .trim();
}

const unescaped = (text: string): string =>
  text
    .replace(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\r\n', '\n');
