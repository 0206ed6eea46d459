/** The pack that a fault run installs. */
export const PACK = 'faults';
/** A command and a noop that may run twice, so every workflow has the same outcome as without faults. */
export const STEP = `${PACK}.step`;
export const NOOP = `${PACK}.noop`;
/** A workflow and an action chain that the random workflows run. */
export const INNER = `${PACK}.inner`;
export const CHAIN = `${PACK}.chain`;
