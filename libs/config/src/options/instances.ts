import { int } from '../option';

export const instances = {
  heartbeat_ms: int(1500, 'Milliseconds between two signs of life of a process.', { minimum: 100 }),
  lease_ms: int(6000, 'Milliseconds without a sign of life after which a process counts as dead.', { minimum: 200 }),
};
