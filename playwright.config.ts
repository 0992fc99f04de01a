/** The one runner of everything that needs the production build: the API's cases and the journeys in a browser. */
import { existsSync } from 'node:fs'
import { defineConfig, devices } from '@playwright/test'
import { waited } from './e2e/support/scale'

const debian = '/usr/bin/chromium'
const chromium = process.env.BELAY_CHROMIUM || (existsSync(debian) ? debian : undefined)

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  // Two cores; a file is one lane, and its tests share one server.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000 + waited(300_000),
  expect: { timeout: 10_000 },
  reporter: [['list']],
  projects: [
    { name: 'api', testDir: 'e2e/api' },
    {
      name: 'ui',
      testDir: 'e2e/ui',
      use: {
        ...devices['Desktop Chrome'],
        trace: 'retain-on-failure',
        // Pulses drawn without a graphics card take a whole core; what must move is tested where it moves.
        contextOptions: { reducedMotion: 'reduce' },
        launchOptions: { args: ['--no-sandbox'], ...(chromium && { executablePath: chromium }) },
      },
    },
  ],
})
