import { rawFilter } from '../../src/executions/raw-filter';

describe('A raw filter', () => {
  it.each([
    [undefined, {}],
    ['', {}],
    ['status:failed', { status: 'failed' }],
    ['action.ref:core.local runner.name:noop', { action_ref: 'core.local', runner_name: 'noop' }],
    ['action.name:a.b', { action_ref: { $regex: '^[^.]+\\.a\\.b$' } }],
    ['action.pack:core', { 'context.pack': 'core' }],
    ['liveaction.parameters.cmd:date', { 'parameters.cmd': 'date' }],
    ['parameters.n:5', { 'parameters.n': { $in: ['5', 5] } }],
    ['parameters.url:http://x:1', { 'parameters.url': 'http://x:1' }],
    ['parent:null context.mine:NULL', { parent: null, 'context.mine': null }],
    ['start_timestamp:2024-01-01T00:00:00Z', { start_timestamp: 1704067200000000 }],
  ])('%s', (text, filter) => {
    expect(rawFilter(text)).toEqual(filter);
  });

  it.each([
    ['colour', 'invalid format for filter "colour"'],
    ['status:failed :x', 'invalid format for filter ":x"'],
    ['colour:red', 'Cannot resolve field "colour"'],
    ['parameters:x', 'Cannot resolve field "parameters"'],
    ['parameters.:x', 'Cannot resolve field "parameters."'],
    ['context.$where:x', 'Cannot resolve field "context.$where"'],
    ['sealed_parameters:x', 'Cannot resolve field "sealed_parameters"'],
    ['result.stdout:x', 'Cannot resolve field "result.stdout"'],
    ['start_timestamp:soon', 'Datetime value does not match expected format.'],
  ])('%s is refused', (text, message) => {
    expect(() => rawFilter(text)).toThrow(message);
  });
});
