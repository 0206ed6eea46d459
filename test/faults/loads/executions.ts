import { executionJob } from '../load';
import { requested, type Load } from './load';

/** Noops, and commands, of which some have descendants in a separate session. */
export const executions: Load = {
  name: 'executions',
  open: (work) =>
    Promise.resolve({
      pace: { atATime: 4, pauses: 1 },
      async once(number) {
        const { action, parameters } = executionJob(work.journal, work.random, number);
        await requested(work, action, parameters);
      },
      problems: () => Promise.resolve([]),
    }),
};
