import { existsSync, readFileSync } from 'node:fs';

const PAUSE_MS = 500;

/**
 * A sensor that dispatches an event with a new number every half second. Each number that was accepted is a line of the
 * file. A number is dispatched once, even if it was not accepted.
 */
export const SENSOR = (file: string, trigger: string): string => `
const { appendFileSync } = require('node:fs');
exports.Numbers = class {
  constructor(service) {
    this.service = service;
  }
  async run() {
    for (let number = 1; ; number++) {
      const name = process.pid + '-' + process.hrtime.bigint() + '-' + number;
      await this.service.dispatch(${JSON.stringify(trigger)}, { number: name });
      appendFileSync(${JSON.stringify(file)}, name + '\\n');
      await new Promise((resolve) => setTimeout(resolve, ${PAUSE_MS}));
    }
  }
};
`;

export const sentNumbers = (file: string): Set<string> =>
  new Set((existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n').filter((line) => line !== ''));
