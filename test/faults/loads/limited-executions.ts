import { mostAtATime } from '../journal';
import { commandAction, PACK, recorded, requested, type Load } from './load';

const THRESHOLD = 2;

/** Executions that a policy limits. If one kept its place for ever, the others would not end. */
export const limitedExecutions: Load = {
  name: 'limited executions',
  files: (journal) => ({
    'actions/limited.yaml': commandAction('limited', recorded(journal, 'sleep 0.05')),
    'policies/limited.yaml': {
      name: 'limited.most',
      enabled: true,
      resource_ref: `${PACK}.limited`,
      policy_type: 'action.concurrency',
      parameters: { threshold: THRESHOLD, action: 'delay' },
    },
  }),
  open(work) {
    const ids = new Set<string>();
    return Promise.resolve({
      pace: { atATime: 3, pauses: 4 },
      async once() {
        const id = await requested(work, `${PACK}.limited`);
        if (id !== undefined) ids.add(id);
      },
      problems() {
        const most = mostAtATime(work.journal, ids);
        return Promise.resolve(most > THRESHOLD ? [`${most} limited executions at a time`] : []);
      },
    });
  },
};
