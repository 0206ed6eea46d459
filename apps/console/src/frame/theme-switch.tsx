import { t } from '@lingui/core/macro';
import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';

/** Switches between the dark and the light theme. The browser remembers the choice. */
export function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const next = scheme === 'dark' ? 'light' : 'dark';
  const Icon = next === 'dark' ? IconMoon : IconSun;
  return (
    <ActionIcon
      variant="default"
      size="md"
      aria-label={next === 'dark' ? t`Use the dark theme` : t`Use the light theme`}
      onClick={() => setColorScheme(next)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
