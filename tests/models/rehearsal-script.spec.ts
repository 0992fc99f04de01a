import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rehearsalCards } from '@/lib/contract/rehearsal-cards'
import { readScript, type Step } from '@/server/models/rehearsal/script'

function stepsOf(text: string): readonly Step[] {
  const reading = readScript(text)
  if (reading.kind !== 'script') throw new Error(`no script: ${text}`)
  return reading.script.steps
}

describe('readScript', () => {
  it.each<[string, Step]>([
    ['talk for 200 words at 20 words per second', { kind: 'talk', words: 200, perSecond: 20 }],
    ['Talk for 1 word', { kind: 'talk', words: 1, perSecond: 20 }],
    ['talk for 8000 words at 4000 words a second.', { kind: 'talk', words: 8000, perSecond: 4000 }],
    ['think for 50 words', { kind: 'think', words: 50, perSecond: 20 }],
    ['think for 50 words at 2.5 words per second', { kind: 'think', words: 50, perSecond: 2.5 }],
    ['run `ls -la`', { kind: 'run', command: 'ls -la' }],
    ['run `sleep 9` with timeout 2 seconds', { kind: 'run', command: 'sleep 9', timeoutSeconds: 2 }],
    ['run `sleep 9` with a timeout of 1 second', { kind: 'run', command: 'sleep 9', timeoutSeconds: 1 }],
    ['write notes.txt: some text, then more', { kind: 'write', path: 'notes.txt', text: 'some text, then more' }],
    ['write a/b.md: # Title\n\nTwo lines', { kind: 'write', path: 'a/b.md', text: '# Title\n\nTwo lines' }],
    ['read notes.txt', { kind: 'read', path: 'notes.txt' }],
    [
      'delegate to 3 children: (talk for 5 words, then fail)',
      { kind: 'delegate', count: 3, script: 'talk for 5 words, then fail' },
    ],
    ['spawn 1 child: (loop, (nested) words)', { kind: 'spawn', count: 1, script: 'loop, (nested) words' }],
    ['ask: Which colour, red or blue?', { kind: 'ask', question: 'Which colour, red or blue?' }],
    ['fail', { kind: 'fail' }],
    ['hit a rate limit', { kind: 'rate-limit', seconds: 3 }],
    ['hit a rate limit for 90 seconds', { kind: 'rate-limit', seconds: 90 }],
    ['ignore the signal for 5 seconds', { kind: 'deaf', seconds: 5 }],
    ['ignore the signal for 0.5 seconds', { kind: 'deaf', seconds: 0.5 }],
  ])('M3: reads "%s"', (text, step) => {
    expect(readScript(text)).toEqual({ kind: 'script', script: { steps: [step], loops: false } })
  })

  it('M3: joins steps with ", then "', () => {
    expect(
      stepsOf('think for 5 words, then run `date`, then write a.txt: b, then read a.txt').map(({ kind }) => kind),
    ).toEqual(['think', 'run', 'write', 'read'])
  })

  it('M3: leaves a ", then " alone inside backticks, parentheses and plain text', () => {
    expect(stepsOf('run `echo a, then fail`, then fail')).toEqual([
      { kind: 'run', command: 'echo a, then fail' },
      { kind: 'fail' },
    ])
    expect(stepsOf('delegate to 2 children: (fail, then fail), then fail')).toHaveLength(2)
    expect(stepsOf('write a.txt: wash, then dry, then read a.txt')).toEqual([
      { kind: 'write', path: 'a.txt', text: 'wash, then dry' },
      { kind: 'read', path: 'a.txt' },
    ])
  })

  it('M3: loops for ever over the steps before', () => {
    expect(readScript('run `date`, then talk for 3 words, then loop for ever')).toMatchObject({
      kind: 'script',
      script: { loops: true, steps: [{ kind: 'run' }, { kind: 'talk' }] },
    })
    expect(readScript('fail, then loop forever')).toMatchObject({ kind: 'script', script: { loops: true } })
    expect(readScript('loop for ever').kind).toBe('not-a-script')
  })

  it.each(['', 'hello', 'What can you do?', 'talk', 'talk for many words', 'run ls'])(
    'M3: "%s" is no script',
    (text) => {
      expect(readScript(text)).toEqual({ kind: 'not-a-script' })
    },
  )

  it('M3: names the step that it does not understand', () => {
    expect(readScript('fail, then run ls')).toEqual({ kind: 'not-a-script', part: 'run ls' })
    expect(readScript('delegate to 3 children: talk')).toMatchObject({ part: 'delegate to 3 children: talk' })
    expect(readScript('talk for 5 words, then run `ls` quickly')).toEqual({
      kind: 'not-a-script',
      part: 'run `ls` quickly',
    })
  })

  it('M3: the cards of the empty screen are scripts', () => {
    for (const { script } of rehearsalCards) expect(readScript(script).kind, script).toBe('script')
  })

  it('M3: reads any text without throwing, and quickly', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('talk for 5 words', ', then ', '`', '(', ')', 'run ', 'a', ':', 'write x', '\n', '😀'),
        ),
        (parts) => {
          expect(['script', 'not-a-script']).toContain(readScript(parts.join('')).kind)
        },
      ),
    )
    expect(readScript(`${'fail, then '.repeat(20_000)}fail`).kind).toBe('script')
  })
})
