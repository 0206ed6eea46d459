import type { Attack } from '../attack';
import { addressAttacks } from './addresses';
import { definitionAttacks } from './definitions';
import { expressionAttacks } from './expressions';
import { loginAttacks } from './logins';
import { nestedAttacks } from './nested';
import { openSystemAttacks } from './open-systems';
import { outputAttacks } from './outputs';
import { patternAttacks } from './patterns';
import { queryAttacks } from './queries';
import { runawayAttacks } from './runaways';
import { plantingAttack } from './secrets';
import { socketAttacks } from './sockets';
import { textAttacks } from './texts';

/** The attacks in order. Those that fill the store come last. */
export const ATTACKS: readonly Attack[] = [
  plantingAttack,
  ...nestedAttacks,
  ...loginAttacks,
  ...socketAttacks,
  ...queryAttacks,
  ...textAttacks,
  ...patternAttacks,
  ...definitionAttacks,
  ...addressAttacks,
  ...openSystemAttacks,
  ...expressionAttacks,
  ...outputAttacks,
  ...runawayAttacks,
];
