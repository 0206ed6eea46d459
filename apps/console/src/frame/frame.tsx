import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, AppShell, Burger, Button, Center, Group, Loader, NavLink, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { IconLogout, IconSearch } from '@tabler/icons-react';
import { useEffect } from 'react';
import { NavLink as RouterLink, Outlet, useLocation } from 'react-router';
import { ApiFailure, apiClient } from '../api/client';
import { startLiveUpdates } from '../api/live-updates';
import { currentUser } from '../api/queries';
import { LoginPage } from '../session/login-page';
import { heldPermissionsOf } from '../session/permissions';
import { endSession, useSession } from '../session/session';
import { CommandPalette, useCommandPalette } from './command-palette';
import { ConnectionState } from './connection-state';
import { Failure } from './error-page';
import { KeyboardHelp, useKeyboard } from './keyboard';
import { useSections } from './sections';
import { ThemeSwitch } from './theme-switch';

/** Everything around the pages. Without credentials that the API accepts, it shows the login. */
export function ConsoleFrame() {
  const session = useSession();
  const user = useQuery(currentUser(session?.token));
  // Otherwise, buttons and pages that the user may not use would be shown first.
  const isLimited = user.data?.rbac.is_admin === false;
  const held = useQuery({ ...heldPermissionsOf(undefined, session?.token), enabled: isLimited });
  if (user.isPending) return <Waiting />;
  if (user.error instanceof ApiFailure && user.error.status === 401) return <LoginPage />;
  if (user.error) return <Failure error={user.error} onRetry={() => void user.refetch()} />;
  if (held.isLoading) return <Waiting />;
  return <Shell userName={user.data.username} />;
}

const Waiting = () => (
  <Center h="100vh">
    <Loader aria-label={t`Loading`} />
  </Center>
);

function Shell({ userName }: { userName: string }) {
  const client = useQueryClient();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const session = useSession();
  useEffect(() => startLiveUpdates(client), [client, session?.token]);
  useEffect(close, [pathname, close]);
  useKeyboard();
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'xs', sm: 'md' }}
    >
      <a className="skip-link" href="#main" onClick={focusMain}>
        <Trans>Skip to the content</Trans>
      </a>
      <AppShell.Header>
        <Group h="100%" px="sm" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t`Navigation`} />
            <Text fw={700}>Switchyard</Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ConnectionState />
            <PaletteButton />
            <ThemeSwitch />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t`Pages`}>
        <Navigation pathname={pathname} />
        <Text size="xs" c="dimmed" px="sm" pb={4}>
          <Trans>
            Logged in as{' '}
            <Anchor
              component={RouterLink}
              to={`/roles/users/${encodeURIComponent(userName)}`}
              size="xs"
              underline="always"
            >
              {userName}
            </Anchor>
          </Trans>
        </Text>
        {session && <LogOut />}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <CommandPalette />
      <KeyboardHelp />
    </AppShell>
  );
}

function PaletteButton() {
  const openPalette = useCommandPalette();
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void openPalette()}
      leftSection={<IconSearch size={14} aria-hidden />}
    >
      <Trans>Go to</Trans>
    </Button>
  );
}

function Navigation({ pathname }: { pathname: string }) {
  return (
    <Stack gap={2} style={{ flexGrow: 1, overflowY: 'auto' }}>
      {useSections().map(({ path, label, Icon }) => (
        <NavLink
          key={path}
          component={RouterLink}
          to={path}
          label={label}
          active={path === '/' ? pathname === path : pathname.startsWith(path)}
          leftSection={<Icon size={18} aria-hidden />}
          py={6}
        />
      ))}
    </Stack>
  );
}

function LogOut() {
  const client = useQueryClient();
  const leave = async () => {
    // This browser drops the token even if the server cannot be reached.
    await apiClient.DELETE('/auth/v1/tokens/current').catch(() => undefined);
    endSession();
    client.clear();
  };
  return (
    <Button variant="default" size="xs" onClick={() => void leave()} leftSection={<IconLogout size={14} aria-hidden />}>
      <Trans>Log out</Trans>
    </Button>
  );
}

/** The fragment belongs to the router, so the link only moves the focus. */
function focusMain(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
