import type { ElectionRecord, TimerRecord } from '@switchyard/model';
import type { Layout } from './layout';

export const timerLayout: Layout<TimerRecord> = {
  needed: ['trigger', 'fingerprint'],
  indexes: [{ fields: { due_at: 1 } }],
};

export const electionLayout: Layout<ElectionRecord> = {
  needed: [],
  indexes: [],
};
