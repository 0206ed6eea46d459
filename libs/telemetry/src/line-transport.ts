import Transport from 'winston-transport';
import type { Destination } from './destinations/destination';
import type { LineFormat, LogLine } from './log-line';
import type { LogLevel } from './logger';

/** The end of winston's pipeline: formats a line and hands it to a destination. */
export class LineTransport extends Transport {
  constructor(
    level: LogLevel,
    private readonly formatLine: LineFormat,
    private readonly destination: Destination,
  ) {
    super({ level });
  }

  override log(line: LogLine, done: () => void): void {
    this.destination.write(this.formatLine(line));
    done();
  }
}
