export const TASK_PATH = 'properties.tasks.patternProperties.^\\w+$';

/** A workflow of one task with an action and the given members. */
export function inTask(yaml: string): string {
  const action = /^action:/m.test(yaml) ? '' : '    action: core.noop\n';
  return `version: 1.0\ntasks:\n  t1:\n${action}${yaml.replaceAll(/^/gm, '    ')}\n`;
}

/** A workflow of tasks given as `name: first, second`: destinations, with `|` between transitions. */
export function flow(lines: readonly string[]): Record<string, unknown> {
  const tasks = lines.map((line) => {
    const [, name = '', join, targets = ''] = /^(\w+)(\*)?:?\s*(.*)$/.exec(line) ?? [];
    const next = targets === '' ? [] : targets.split('|').map((each) => ({ do: each.trim() }));
    return [name, { action: 'core.noop', ...(join && { join: 'all' }), next }];
  });
  return { version: 1, tasks: Object.fromEntries(tasks) as unknown };
}
