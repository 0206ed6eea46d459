import { bool, path } from '../option';

export const system = {
  base_path: path(
    '~/.switchyard',
    'Directory of packs, virtual environments, configurations, keys and the embedded store.',
  ),
  debug: bool(false, 'Log at level debug, like the ungrouped option debug.'),
  validate_trigger_parameters: bool(true, "Check the parameters of triggers against their type's schema."),
  validate_trigger_payload: bool(true, "Check the payload of trigger instances against their type's schema."),
  validate_output_schema: bool(false, 'Check the output of actions and workflows against their output schema.'),
};
