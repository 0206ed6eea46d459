import { isInstalled } from '@switchyard/testkit/needed-programs';

const found = isInstalled('python3', 'tests of Python sensors');

/** `describe`, or `describe.skip` when there is no Python. */
export const describePython: jest.Describe = found ? describe : describe.skip;

const METHODS = `
    def setup(self):
        pass
    def cleanup(self):
        pass
    def add_trigger(self, trigger):
        pass
    update_trigger = remove_trigger = add_trigger
`;

/** Source of a sensor class whose `run` has the given body. */
export const passive = (name: string, body: string, more = ''): string =>
  `
import os, sys, time, subprocess
from st2reactor.sensor.base import Sensor

class ${name}(Sensor):
${METHODS}
    def run(self):
${indent(body, 8)}
${indent(more, 4)}
`;

/** Source of a polling sensor class. */
export const polling = (name: string, body: string): string =>
  `
from st2reactor.sensor.base import PollingSensor

class ${name}(PollingSensor):
${METHODS}
    def poll(self):
${indent(body, 8)}
`;

const indent = (text: string, by: number): string =>
  text
    .trim()
    .split('\n')
    .map((line) => ' '.repeat(by) + line)
    .join('\n');

export const FOREVER = 'time.sleep(600)';
