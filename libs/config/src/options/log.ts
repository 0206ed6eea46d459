import { bool, choice, legacy, list, path } from '../option';

export const log = {
  level: choice(
    ['debug', 'info', 'warn', 'error'],
    'info',
    'The level from which lines are written. Debug lines are not masked.',
  ),
  format: choice(['console', 'json', 'gelf'], 'console', 'Format of the lines.'),
  file: path(null, 'File for log lines; {service}, {pid} and {timestamp} are replaced. Unset: standard output.'),
  audit_file: path(null, 'Further file for audit lines only, as JSON; same placeholders. Unset: none.'),
  mask_secrets: bool(true, 'Replace secret values in log lines by asterisks.'),
  mask_secrets_blacklist: list([], 'Further names of fields whose values are secret.'),
  excludes: legacy('it names Python modules'),
  redirect_stderr: legacy('the error output is not captured'),
};
