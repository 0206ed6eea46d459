import { t } from '@lingui/core/macro';
import { Switch } from '@mantine/core';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { uidOfRef, useMay } from '../session/permissions';

interface EnabledSwitchProps {
  readonly type: 'rule' | 'sensor_type' | 'policy';
  /** The reference of the resource. */
  readonly name: string;
  readonly enabled: boolean | undefined;
  readonly change: (enabled: boolean) => Promise<unknown>;
  /** What is read again afterwards. */
  readonly changed: readonly QueryKey[];
}

/** Enables or disables a resource. It shows the wanted state until the change has succeeded or failed. */
export function EnabledSwitch({ type, name, enabled = false, change, changed }: EnabledSwitchProps) {
  const client = useQueryClient();
  const permission = `${type}_modify`;
  const may = useMay(permission, uidOfRef(type, name));
  const mutation = useMutation({
    mutationFn: change,
    onSettled: () => Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  return (
    <Switch
      aria-label={t`${name} is enabled`}
      disabled={!may}
      {...(!may && { title: t`Your roles do not permit you to change it (${permission}).` })}
      checked={mutation.isPending ? mutation.variables : enabled}
      onChange={(event) => mutation.mutate(event.currentTarget.checked)}
    />
  );
}
