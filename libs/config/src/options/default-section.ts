import { bool, legacy } from '../option';

const developerAid = legacy('it belongs to developer tools of the reference');

export const defaultSection = {
  debug: bool(false, 'Log at level debug. Debug lines are not masked.'),
  profile: bool(false, 'Log each operation on the store and what it searches for, at level info.'),
  use_debugger: developerAid,
  enable_profiler: developerAid,
  enable_eventlet_blocking_detection: developerAid,
  eventlet_blocking_detection_resolution: developerAid,
};
