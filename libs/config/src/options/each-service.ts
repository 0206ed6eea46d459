import { intOption, path, type OptionTraits } from '../option';

/** For services without an HTTP interface of their own. */
export const healthPort = intOption(0, 'Port of the health endpoints of this service; 0 turns them off.', {
  minimum: 0,
});

/** For a process that runs this service alone. */
export const loggingFile = (traits: OptionTraits = {}) =>
  path(null, 'Logging file in the format of Python, which sets the log of this service instead of [log].', {
    ...traits,
    mustExist: 'file',
  });
