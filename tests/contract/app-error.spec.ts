import { expect, it, vi } from 'vitest'

it('W1: knows a refusal that another copy of the module has thrown, as bundles of one process do', async () => {
  const first = await import('@/lib/contract/errors')
  vi.resetModules()
  const second = await import('@/lib/contract/errors')
  expect(second.AppError).not.toBe(first.AppError)

  expect(new first.AppError('not-found', 'There is no such session.')).toBeInstanceOf(second.AppError)
  expect(new Error('There is no such session.')).not.toBeInstanceOf(second.AppError)
  expect(null).not.toBeInstanceOf(second.AppError)
})
