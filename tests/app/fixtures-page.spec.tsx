import { afterEach, expect, it, vi } from 'vitest'
import FixturesPage from '@/app/fixtures/page'

afterEach(() => vi.unstubAllEnvs())

it('keeps the fixtures out of production unless they are asked for', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  await expect(FixturesPage()).rejects.toThrow(/NEXT_HTTP_ERROR_FALLBACK;404/)
  vi.stubEnv('BELAY_FIXTURES', '1')
  expect(await FixturesPage()).toBeTruthy()
})

it('shows the fixtures while Belay is being built', async () => {
  vi.stubEnv('NODE_ENV', 'development')
  expect(await FixturesPage()).toBeTruthy()
})
