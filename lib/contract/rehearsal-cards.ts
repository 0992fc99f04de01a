/** The cards of the empty screen: scripts for the rehearsal model (M3) that show the product one thing at a time. */

export interface RehearsalCard {
  readonly title: string
  /** What the person will see, in one sentence. */
  readonly hint: string
  /** Sent as it is. */
  readonly script: string
}

export const rehearsalCards: readonly RehearsalCard[] = [
  {
    title: 'Stop a long answer',
    hint: 'Press Stop in the middle: the words stay, and the next message is answered.',
    script: 'talk for 400 words at 15 words per second',
  },
  {
    title: 'Stop a runaway command',
    hint: 'A line every second, for ever. Stop ends the whole process tree and keeps the lines.',
    script: 'run `while true; do date; sleep 1; done` with timeout 600 seconds',
  },
  {
    title: 'Use tools',
    hint: 'It thinks, writes a file, reads it back and talks about it.',
    script:
      'think for 40 words, then write notes.txt: Belay keeps hold of the rope., then read notes.txt, then talk for 60 words',
  },
  {
    title: 'Catch a loop',
    hint: 'Step after step without an end. The step between two commands is the one that Stop must catch.',
    script: 'talk for 12 words, then run `sleep 1; date`, then loop for ever',
  },
  {
    title: 'Wait out a rate limit',
    hint: 'The wait is shown with its reason, and Stop ends it at once.',
    script: 'hit a rate limit for 20 seconds, then talk for 60 words',
  },
  {
    title: 'Stop a deaf model',
    hint: 'The model ignores the signal. The screen says what it waits for and never claims too much.',
    script: 'ignore the signal for 8 seconds, then talk for 40 words',
  },
]
