/** The pack that a fault run installs. */
export const PACK = 'faults';
/** A command, and nothing, that may be run twice: so every workflow comes to the same as without faults. */
export const STEP = `${PACK}.step`;
export const NOOP = `${PACK}.noop`;
/** A workflow and an action chain that the random workflows run. */
export const INNER = `${PACK}.inner`;
export const CHAIN = `${PACK}.chain`;
