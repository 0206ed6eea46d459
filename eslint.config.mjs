import tseslint from 'typescript-eslint';

/** Programs for browsers, with a project of their own. */
const BROWSER = ['apps/console/**/*.ts', 'apps/console/**/*.tsx'];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', '**/node_modules/**', '.cache/**', 'coverage/**', 'docs/openapi.json'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        // One program for everything: loading the packages one by one takes several times as long.
        project: './tsconfig.lint.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // A function may be asynchronous because its contract is, without anything to wait for.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/only-throw-error': 'error',
      // Factories return closures that use no `this` and may be passed on by themselves.
      '@typescript-eslint/unbound-method': 'off',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
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
  },
  {
    files: ['**/test/**/*.ts', 'libs/testkit/**/*.ts'],
    rules: {
      // Answers of servers are looked into freely in tests.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
