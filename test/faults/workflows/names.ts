/** The pack that a fault run installs. */
export const PACK = 'faults';
/** A command that may be run twice. */
export const STEP = `${PACK}.step`;
/** A workflow and an action chain that the random workflows run. */
export const INNER = `${PACK}.inner`;
export const CHAIN = `${PACK}.chain`;
