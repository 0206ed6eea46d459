import { Switch } from '@mantine/core';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';

interface EnabledSwitchProps {
  readonly name: string;
  readonly enabled: boolean | undefined;
  readonly change: (enabled: boolean) => Promise<unknown>;
  /** What is read again afterwards. */
  readonly changed: readonly QueryKey[];
}

/** Enables or disables a resource. It shows the wanted state until the change has succeeded or failed. */
export function EnabledSwitch({ name, enabled = false, change, changed }: EnabledSwitchProps) {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: change,
    onSettled: () => Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  return (
    <Switch
      aria-label={`${name} is enabled`}
      checked={mutation.isPending ? mutation.variables : enabled}
      onChange={(event) => mutation.mutate(event.currentTarget.checked)}
    />
  );
}
