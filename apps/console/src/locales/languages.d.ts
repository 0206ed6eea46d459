declare module 'virtual:languages' {
  import type { Messages } from '@lingui/core';

  /** The function of each language but English loads its messages. */
  export const languages: Readonly<Record<string, () => Promise<{ readonly messages: Messages }>>>;
}
