import { setFlagsFromString } from 'node:v8';

/**
 * While modules are loaded, V8 enlarges the space of young objects to 32 MB, since most of these objects survive, and
 * it rarely shrinks the space again. Call this before modules are loaded: the space keeps its size until it is
 * released.
 */
export const holdYoungGeneration = (): void => growBy(1);

/** Allows the space to grow when there is work. Call it once the process has started. */
export const releaseYoungGeneration = (): void => growBy(USUAL_GROWTH);

/** V8's default. */
const USUAL_GROWTH = 2;

const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);
