import { describe, expect, it } from 'vitest'
import {
  clockTime,
  compactTime,
  durationText,
  elapsedTime,
  exactUsage,
  fullTime,
  relativeTime,
  shortCount,
  shortPath,
  shortUsage,
} from '@/lib/client/format'

const at = '2026-03-02T12:04:31.000Z'
const later = (ms: number) => Date.parse(at) + ms
const second = 1000
const minute = 60 * second
const hour = 60 * minute

describe('times', () => {
  it.each([
    [0, 'now'],
    [-5 * second, 'now'],
    [42 * second, '42 s ago'],
    [5 * minute + 59 * second, '5 min ago'],
    [59 * minute, '59 min ago'],
    [hour, '12:04'],
    [11 * hour, '12:04'],
    [13 * hour, '2 Mar 12:04'],
    [340 * 24 * hour, '2 Mar 2026'],
  ])('are relative up to an hour, then the clock, then with the day (%i ms later: %s)', (ms, text) => {
    expect(relativeTime(at, later(ms), 'UTC')).toBe(text)
  })

  it('leave the clock off another day where there is little room', () => {
    expect(compactTime(at, later(13 * hour), 'UTC')).toBe('2 Mar')
    expect(compactTime(at, later(2 * hour), 'UTC')).toBe('12:04')
    expect(compactTime(at, later(42 * second), 'UTC')).toBe('42 s ago')
  })

  it('are complete on hover, in the zone of the reader', () => {
    expect(fullTime(at, 'UTC')).toBe('Monday 2 March 2026, 12:04:31')
    expect(fullTime(at, 'Asia/Shanghai')).toBe('Monday 2 March 2026, 20:04:31')
    expect(clockTime('2026-03-02T00:00:00.000Z', 'UTC')).toBe('00:00')
  })
})

describe('durations', () => {
  it.each([
    [0, '0:00'],
    [42_900, '0:42'],
    [12 * minute + 3 * second, '12:03'],
    [hour + 2 * minute + 3 * second, '1:02:03'],
    [-1, '0:00'],
  ])('run like a watch (%i ms: %s)', (ms, text) => {
    expect(elapsedTime(ms)).toBe(text)
  })

  it.each([
    [340, '340 ms'],
    [3_249, '3.2 s'],
    [9_999, '9.9 s'],
    [45_200, '0:45'],
  ])('of something finished are as fine as they matter (%i ms: %s)', (ms, text) => {
    expect(durationText(ms)).toBe(text)
  })
})

describe('counts', () => {
  it.each([
    [812, '812'],
    [3412, '3.4k'],
    [9949, '9.9k'],
    [9950, '10k'],
    [120_400, '120k'],
    [999_499, '999k'],
    [1_240_000, '1.2M'],
  ])('of tokens are short (%i: %s)', (count, text) => {
    expect(shortCount(count)).toBe(text)
  })

  it('say when they are an estimate', () => {
    const usage = { inputTokens: 3200, outputTokens: 212, estimated: true }
    expect(shortUsage(usage)).toBe('≈3.4k')
    expect(exactUsage({ ...usage, estimated: false })).toBe('3,200 in, 212 out')
  })
})

it('keeps the end of a path, which tells it apart', () => {
  expect(shortPath('/home/ada/code/shop')).toBe('…/code/shop')
  expect(shortPath('/shop')).toBe('/shop')
})
