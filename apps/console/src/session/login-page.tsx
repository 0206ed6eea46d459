import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Center, Divider, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { answerTo, apiClient } from '../api/client';
import { beginSession } from './session';

/** Logs in by password, or at an identity provider if single sign-on is enabled. */
export function LoginPage() {
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const login = useMutation({
    mutationFn: () => passwordLogin(user, password),
    onSuccess: beginSession,
    // Shown in the form.
    onError: () => setPassword(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate();
  };
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w={360} maw="100%">
        <Title order={1} mb="md">
          Switchyard
        </Title>
        <form onSubmit={submit}>
          <Stack>
            {login.error && (
              <Alert color="red" role="alert">
                {login.error.message}
              </Alert>
            )}
            <TextInput
              label={t`User`}
              autoComplete="username"
              autoFocus
              required
              value={user}
              onChange={(event) => setUser(event.currentTarget.value)}
            />
            <PasswordInput
              label={t`Password`}
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': t`Show or hide the password` }}
            />
            <Button type="submit" loading={login.isPending}>
              <Trans>Log in</Trans>
            </Button>
          </Stack>
        </form>
        <SingleSignOn />
      </Paper>
    </Center>
  );
}

/** Nothing unless single sign-on is enabled. */
function SingleSignOn() {
  const { data } = useQuery({
    queryKey: ['single-sign-on'],
    queryFn: () => answerTo(apiClient.GET('/auth/v1/sso')),
    retry: false,
  });
  if (!data?.enabled) return null;
  return (
    <>
      <Divider my="md" label={t`or`} labelPosition="center" />
      <Button component="a" href="/auth/v1/sso/request" variant="default" fullWidth>
        <Trans>Log in with single sign-on</Trans>
      </Button>
    </>
  );
}

async function passwordLogin(user: string, password: string) {
  const credentials = String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`));
  const headers = { authorization: `Basic ${btoa(credentials)}` };
  const { token, user: loggedIn } = await answerTo(apiClient.POST('/auth/v1/tokens', { body: {}, headers }));
  return { token, user: loggedIn };
}
