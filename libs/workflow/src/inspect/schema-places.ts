import type { Path } from '@switchyard/model';

/* The places in the schema of definitions that findings name. */
export const TASKS: Path = ['properties', 'tasks'];
export const TASK: Path = [...TASKS, 'patternProperties', '^\\w+$'];
export const TASK_PROPERTIES: Path = [...TASK, 'properties'];
export const TRANSITION_PROPERTIES: Path = [...TASK_PROPERTIES, 'next', 'items', 'properties'];
