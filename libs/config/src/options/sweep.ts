import { int } from '../option';

export const sweep = {
  interval_ms: int(2000, 'Milliseconds between two searches for work whose message was lost.', { minimum: 50 }),
  older_than_ms: int(5000, 'Milliseconds that work waits before its message counts as lost.', { minimum: 0 }),
};
