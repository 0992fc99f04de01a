import next from 'eslint-config-next'

export default [
  { ignores: ['.next/**', 'node_modules/**', 'public/**', 'test-results/**', 'playwright-report/**', '**/*.cjs'] },
  ...next,
  {
    files: ['**/*.{ts,tsx}'],
    rules: { 'react-hooks/exhaustive-deps': 'error', 'react-hooks/rules-of-hooks': 'error' },
  },
  // Playwright's fixtures call a function named `use`, which is no hook.
  { files: ['e2e/**', 'bench/**'], rules: { 'react-hooks/rules-of-hooks': 'off' } },
]
