import type { ErrorEntry } from './catalogue';

export const configErrors = {
  'config.invalid': {
    status: 500,
    template: 'Configuration option {section}.{option}: expected {expected}, got {actual} ({origin}).',
  },
  'config.conflict': { status: 500, template: 'Configuration: {text}.' },
  'config.unreadable-file': { status: 500, template: 'The configuration file {path} cannot be read: {reason}' },
  'config.syntax': { status: 500, template: 'Configuration file {path}, line {line}: {problem}.' },
} as const satisfies Record<string, ErrorEntry>;
