import { t } from '@lingui/core/macro';
import { createTheme, type CSSVariablesResolver } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'blue',
  // White text on the lighter shades of the library is too faint to read.
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  components: {
    // The library makes the title of a dialog a `header`, which would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    // Its loaders have no role, with which a name is not read.
    Loader: { defaultProps: { role: 'status' } },
    // Its notifications have a button without a name, and text that is too faint.
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': t`Close` } },
      styles: { description: { color: 'var(--mantine-color-text)' } },
    },
  },
  headings: { sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.15rem' }, h3: { fontSize: '1rem' } } },
});

const COLORS = ['blue', 'red', 'green', 'yellow', 'orange', 'gray', 'teal', 'grape'];

/** Even their darkest shades are too faint on a light background. */
const BRIGHT = new Set(['yellow', 'orange']);

const textColor = (color: string, shade: number): string =>
  shade === 9 && BRIGHT.has(color)
    ? `color-mix(in srgb, var(--mantine-color-${color}-9) 75%, black)`
    : `var(--mantine-color-${color}-${shade})`;

/** The text colours of the library with a contrast of at least 4.5 on their backgrounds. */
const textColors = (shade: number, gray: string): Record<string, string> => ({
  '--mantine-color-dimmed': `var(--mantine-color-${gray})`,
  '--mantine-color-placeholder': `var(--mantine-color-${gray})`,
  '--mantine-color-anchor': `var(--mantine-color-blue-${shade})`,
  '--mantine-color-error': `var(--mantine-color-red-${shade})`,
  ...Object.fromEntries(
    COLORS.flatMap((color) => [
      [`--mantine-color-${color}-light-color`, textColor(color, shade)],
      [`--mantine-color-${color}-outline`, textColor(color, shade)],
    ]),
  ),
});

export const themeVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: textColors(9, 'gray-7'),
  dark: textColors(3, 'dark-1'),
});
