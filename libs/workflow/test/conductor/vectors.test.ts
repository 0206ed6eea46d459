import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RECORDED, recordedLines } from '@switchyard/testkit/recorded';
import { parseWorkflow } from '@switchyard/workflow';
import different from './different.json';
import { Store } from './store';
import { replayTrace, type Trace } from './trace';

const files = readdirSync(join(RECORDED, 'workflows')).filter((file) => file.endsWith('.jsonl'));
const isListed = (name: string): boolean => Object.hasOwn(different, name);

console.info(`${Object.keys(different).length} recorded workflows are left out: see different.json.`);

const readTraces = (file: string): Trace[] =>
  recordedLines<Trace>(`workflows/${file}`).filter(({ trace }) => trace !== undefined);

describe.each(files)('the recorded workflows of %s', (file) => {
  const traces = readTraces(file);

  it('give the recorded steps', () => {
    const found = traces
      .filter(({ name }) => !isListed(name))
      .flatMap((trace) => replayTrace(trace).map((text) => `${trace.name}: ${text}`));
    expect(found).toEqual([]);
  });

  it('give the same steps when the state is stored and restored after each', () => {
    const found = traces
      .filter(({ name }) => !isListed(name))
      .flatMap((trace) => replayStored(trace).map((text) => `${trace.name}: ${text}`));
    expect(found).toEqual([]);
  });

  it('differ if they are listed as different', () => {
    const listed = traces.filter(({ name }) => isListed(name));
    expect(listed.filter((trace) => replayTrace(trace).length === 0).map(({ name }) => name)).toEqual([]);
  });
});

function replayStored(trace: Trace): string[] {
  const store = new Store();
  const spec = parseWorkflow(trace.definition);
  return replayTrace(trace, (conductor) => {
    store.save(conductor);
    return store.load(spec);
  });
}
