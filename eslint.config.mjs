import lingui from 'eslint-plugin-lingui';
import tseslint from 'typescript-eslint';

/** Programs for browsers, with a project of their own. */
const BROWSER = ['apps/console/**/*.ts', 'apps/console/**/*.tsx'];

/** Texts that are not of the language of the reader: names, styles, commands and code. */
const NO_TEXT = {
  ignore: [
    ...['^(?![A-Z])\\S+$', '^[A-Z0-9_-]+$', '^[A-Z][a-z]+[A-Z]\\w+$', '^(Switchyard|YAML)$'],
    ...['^(var|calc|light-dark|color-mix)\\(', '^(curl|svc) ', '^ *-[Hd] ', '^[{[]'],
  ],
  ignoreNames: [
    ...['className', 'style', 'border', 'queryKey', 'include_attributes', 'authorization', 'maxHeight'],
    ...['fontFamilyMonospace', 'base', 'FIRST_TEXT', 'OPTIONS'],
  ],
  ignoreFunctions: ['*.startsWith', '*.closest', '*.querySelector'],
  useTsTypes: true,
};

// What Oxlint (`.oxlintrc.json`) has no rules for.
export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/generated/**',
      '**/node_modules/**',
      '**/test/**',
      '**/*.{js,mjs,cjs}',
      '.cache/**',
      'coverage/**',
    ],
  },
  // Comments that disable rules of Oxlint have its form.
  { linterOptions: { reportUnusedDisableDirectives: 'off' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parser: tseslint.parser },
    plugins: { '@typescript-eslint': tseslint.plugin },
  },
  {
    files: ['**/src/**/*.ts'],
    ignores: ['libs/storage/**', 'libs/testkit/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'Property[key.name=/^[$](eq|ne|in|nin|gte?|lte?|and|or|nor|not|exists|size|all|regex|expr|elemMatch|set|unset|inc|push|pull)$/]',
          message:
            'Operators of the store are written in libs/storage alone: use its functions (oneOf, above, anyOf, …).',
        },
      ],
    },
  },
  {
    files: ['services/**/src/**/*.ts', 'apps/**/src/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          property: 'isExclusive',
          message: 'Services work in the same way on either store; libraries may make a difference.',
        },
      ],
    },
  },
  {
    files: BROWSER,
    languageOptions: {
      parserOptions: { project: './apps/console/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    plugins: { lingui },
    rules: {
      'lingui/no-unlocalized-strings': ['error', NO_TEXT],
      'lingui/no-single-variables-to-translate': 'error',
      'lingui/no-trans-inside-trans': 'error',
    },
  },
  {
    // Names of products, and parts of what browsers say of themselves.
    files: ['apps/console/src/session/client-words.ts'],
    rules: { 'lingui/no-unlocalized-strings': 'off' },
  },
  {
    files: ['apps/console/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'JSXText[value=/^(?!\\s*(Switchyard|YAML)\\s*$).*[A-Za-z]/s]:not(JSXElement[openingElement.name.name=/^(Trans|Plural)$/] JSXText)',
          message: 'Texts of the console can be translated: put this one into <Trans>.',
        },
        {
          selector:
            'JSXAttribute[name.name=/^(label|title|placeholder|description|alt|aria-.*)$/] > Literal[value=/[A-Za-z]/]:not([value=/^(true|false|polite|trigger.body.name)$/])',
          message: 'Texts of the console can be translated: write {t`…`}.',
        },
      ],
    },
  },
);
