import { t } from '@lingui/core/macro';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './shared/console.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { ApiFailure } from './api/client';
import { findSession } from './session/session';
import { router } from './frame/router';
import { theme, themeVariables } from './frame/theme';
import { showFailure } from './shared/show-failure';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // A refused request is not retried; a server that cannot be reached may come back.
      retry: (count, error) =>
        count < 2 && (!(error instanceof ApiFailure) || error.status === 0 || error.status >= 500),
    },
  },
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (!mutation.options.onError) showFailure(error);
    },
  }),
});

/** Shows the console on the page. */
export async function showConsole(): Promise<void> {
  await findSession();
  createRoot(document.getElementById('root')!).render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={client}>
        <MantineProvider theme={theme} cssVariablesResolver={themeVariables} defaultColorScheme="auto">
          <ModalsProvider modalProps={{ closeButtonProps: { 'aria-label': t`Close` } }}>
            <Notifications position="bottom-right" />
            <RouterProvider router={router} />
          </ModalsProvider>
        </MantineProvider>
      </QueryClientProvider>
    </I18nProvider>,
  );
}
