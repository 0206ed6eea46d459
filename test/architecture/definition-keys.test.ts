import { ENGINE_COMMANDS, WORKFLOW_SCHEMA } from '@switchyard/workflow';
import { readJson } from './workspace';

type Keyed = { readonly properties: Readonly<Record<string, object>> };

const { properties: workflow } = WORKFLOW_SCHEMA;
const { properties: task } = Object.values(workflow.tasks.patternProperties)[0]!;

/** The map among the forms of a value. */
const mapAmong = (forms: readonly object[]): Keyed => forms.find((form): form is Keyed => 'properties' in form)!;

it('the workflow editor completes exactly the keys of the schema, and the commands of the engine', () => {
  const { retry } = task;
  const completed = readJson<Record<string, Record<string, string>>>('apps/console/src/editor/definition-keys.json');
  const names = Object.entries(completed).map(([part, texts]) => [part, Object.keys(texts).sort()]);
  const schemas = {
    workflow,
    task,
    transition: task.next.items.properties,
    items: task.with.properties,
    retry: retry.properties,
    delay: mapAmong(retry.properties.delay.oneOf).properties,
  };
  const expected = Object.entries(schemas).map(([part, keys]) => [part, Object.keys(keys).sort()]);
  expect(Object.fromEntries(names)).toEqual({ ...Object.fromEntries(expected), command: [...ENGINE_COMMANDS].sort() });
});
