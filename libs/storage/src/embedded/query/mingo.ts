import type * as Mingo from 'mingo';

/** Loads mingo, which has hundreds of files, when the first expression or pipeline needs it. Most processes never do. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` would make every filter asynchronous
export const mingo = (): typeof Mingo => require('mingo') as typeof Mingo;
