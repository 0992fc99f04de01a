/** What the rehearsal model says: true and useful sentences about Belay, cut to any number of words, always the same. */

const spoken = [
  'This is the rehearsal model. It is a script and not a mind, but everything around it is real: the turn, the tools, the log and the Stop button. Press Stop at any moment. The words that you have already read will stay, marked as cut short, and the next request will tell the model that you stopped it there.\n\n',
  'While a turn runs you can type on. Send puts your message into the queue, where it waits for its own turn. Steer lets it join the running turn at its next step. The queue is yours: you can edit, reorder and remove whatever waits in it, also while the turn is stopping.\n\n',
  'Stopping has three moments that Belay keeps apart:\n\n- **Asked.** The signal is out and the button says *Stopping*.\n- **Waiting.** Something has not come to rest yet, and the screen names it.\n- **Stopped.** The end of the turn is on disk, with whatever had been said so far.\n\n',
  'A command runs in a process group of its own. When you stop the turn the whole group gets a polite signal, and two seconds later one that cannot be ignored. You can try it yourself:\n\n```text\nrun `while true; do date; sleep 1; done`\n```\n\nThen press Stop and look: the lines that were printed stay in the transcript, and no process is left behind.\n\n',
  'Everything you see is an event in a log that is only ever added to. Reload the page and it is all there. Kill the server in the middle of a sentence and start it again: the turn will say that it was orphaned, and the sentence will be there up to a quarter of a second before the end.\n\n',
  'A stop is not a failure. Belay shows it calmly, counts it apart from errors, and lets you filter the history by who stopped what. From any settled turn you can continue, try again, or fork the session and go another way.\n\n',
]

const thought = [
  'The person wants to see how thinking looks. I should keep it short, say what I am going to do next, and leave room for a Stop at any word. ',
  'First I look at what was asked. Then I decide which tool would answer it with the least risk. A read is cheap and changes nothing, a command may change a lot, so the order matters. ',
  'If the person stops me here, this thought was cut. A provider that signs its thoughts would not get it back, because half a thought cannot be proved. ',
]

/** The words of a speech, each with the white space behind it. `turn` chooses where to begin, so that two speeches differ. */
export function speech(kind: 'talk' | 'think', count: number, turn: number): string[] {
  const parts = kind === 'talk' ? spoken : thought
  const words: string[] = []
  for (let at = turn; words.length < count; at += 1) words.push(...wordsOf(parts[at % parts.length] ?? ''))
  return finished(words.slice(0, count))
}

/** Words with their white space. A list mark, and a fence with its language, stick to the word that follows. */
export function wordsOf(text: string): string[] {
  return text.match(/(?:(?:- |\d+\. |```\w*\n)?\S+|```)\s*/g) ?? []
}

/** Ends cleanly: no open fence, no sentence that just stops, no white space at the end. */
function finished(words: string[]): string[] {
  const last = words.pop()
  if (last === undefined) return words
  const bare = last.trimEnd()
  const fences = [...words, bare].join('').match(/```/g)?.length ?? 0
  const end = fences % 2 === 1 ? '\n```' : /[.!?:`]$/.test(bare) ? '' : ' …'
  return [...words, bare + end]
}
