import { ACTION_TRIGGER } from '../names';
import type { BuiltInType } from './built-in-type';
import { internalTypes } from './internal-types';
import { timerTypes } from './timer-types';
import { webhookType } from './webhook-type';

/**
 * The trigger types of the product.
 * @param actionTrigger whether ended executions are told about: `action_sensor.enable`
 */
export const builtInTypes = (actionTrigger: boolean): readonly BuiltInType[] =>
  [...internalTypes, webhookType, ...timerTypes].filter(({ ref }) => actionTrigger || ref !== ACTION_TRIGGER);
