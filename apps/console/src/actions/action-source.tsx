import { t } from '@lingui/core/macro';
import { Box, Button, Code, Loader, ScrollArea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sourceOfAction } from '../api/queries';
import { Failure } from '../frame/error-page';
import { usePageState } from '../shared/use-page-state';

/** The file that an action runs, on demand. The address holds whether it is shown. */
export function ActionSource({ actionRef, entryPoint }: { actionRef: string; entryPoint: string }) {
  const [state, change] = usePageState();
  const isShown = state.get('source') === 'shown';
  return (
    <Box component="section" mt="lg" aria-label={t`Source`}>
      <Button
        size="xs"
        variant="default"
        aria-expanded={isShown}
        onClick={() => change({ source: isShown ? null : 'shown' })}
      >
        {isShown ? t`Hide the source` : t`Show the source`}
      </Button>
      {isShown && <SourceText actionRef={actionRef} entryPoint={entryPoint} />}
    </Box>
  );
}

function SourceText({ actionRef, entryPoint }: { actionRef: string; entryPoint: string }) {
  const { data, error, refetch } = useQuery(sourceOfAction(actionRef));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loader aria-label={t`Loading`} />;
  return (
    <ScrollArea.Autosize mah="60vh" mt="sm" viewportProps={{ tabIndex: 0, 'aria-label': entryPoint }}>
      <Code block>{String(data)}</Code>
    </ScrollArea.Autosize>
  );
}
