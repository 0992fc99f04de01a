/** What the rehearsal model answers to a message that is no script (M3). */

export function explanation(part: string | undefined): string {
  const missed = part
    ? `I understood the beginning, but not this step: \`${part.replaceAll('`', "'").slice(0, 120)}\`.\n\n`
    : ''
  return `${missed}I am the **rehearsal** model: a script that ships with Belay, so that you can try it without a key and without a network. I cannot answer questions, but I do exactly what your message says, with the real tools. Steps are joined by \`, then \`:

- \`talk for 200 words at 20 words per second\`
- \`think for 50 words\`
- \`\`run \`date\` with timeout 10 seconds\`\`
- \`write notes.txt: some text\` and \`read notes.txt\`
- \`ask: Which colour do you like?\`
- \`delegate to 3 children: (talk for 50 words)\` and \`spawn 3 children: (talk for 50 words)\`
- \`fail\`, \`hit a rate limit\`, \`ignore the signal for 5 seconds\`
- \`loop for ever\` at the end repeats the steps before it

For example: \`\`think for 30 words, then run \`ls\`, then talk for 100 words\`\`. To work with a real model, add a key in Settings or choose one in the model menu.`
}

/** Why a step cannot be played in this session. */
export function notOffered(tool: string): string {
  switch (tool) {
    case 'delegate_task':
    case 'spawn_agent':
      return `This step needs \`${tool}\`, which this session is not offered: children are not available here yet. I go on with the next step.`
    case 'ask_user':
      return 'This step needs `ask_user`, which this session is not offered yet. I go on with the next step.'
    case 'run_command':
      return 'This step needs `run_command`, which this session is not offered. Its mode offers tools that only read; choose *Full access* for commands and send the message again. I go on with the next step.'
    default:
      return `This step needs \`${tool}\`, which this session is not offered. Its mode offers tools that only read; choose *Accept edits* or *Full access* and send the message again. I go on with the next step.`
  }
}
