import { t } from '@lingui/core/macro';
import { Button, CopyButton } from '@mantine/core';

/** A button that copies a text and confirms it. */
export function CopyText({ text }: { readonly text: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button size="xs" variant="default" onClick={copy}>
          {copied ? t`Copied` : t`Copy`}
        </Button>
      )}
    </CopyButton>
  );
}
