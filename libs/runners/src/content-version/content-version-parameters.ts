import type { Definitions } from '@switchyard/model';

/** The parameters of runners whose scripts can come from another revision of their pack. */
export const contentVersionParameters = {
  debug: {
    type: 'boolean',
    description: 'Whether what a run makes on the disk stays there for inspection.',
    required: false,
    default: false,
  },
  content_version: {
    type: 'string',
    description:
      'The git revision of the pack whose script is run: a branch, a tag or a commit. Empty: the files as they are.',
    required: false,
  },
} as const satisfies Definitions;
