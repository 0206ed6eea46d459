import { type Interruption } from '../evaluate/scope';
import { Turns } from './turns';

/**
 * Does work that evaluates expressions and templates so that nobody else has to wait for it: between evaluations others have
 * their turn, and long ones are done in a thread. The work is begun anew after each interruption, so it must have no effects
 * and do the same each time.
 * @param supply waits for what else has interrupted the work; throws what it does not know
 * @throws what the work throws, and fault `expression.busy`
 */
export const inTurns = <T>(work: () => T, supply: (interruption: Interruption) => Promise<void> = refuse): Promise<T> =>
  new Turns().repeat(work, supply);

const refuse = (interruption: Interruption): Promise<never> => Promise.reject(interruption);
