/** The commands that are running in this process, for the moment in which it must go. */

interface LiveCommand {
  /** SIGKILL to everything that belongs to the command, before it returns. */
  killNow(): void
}

// On globalThis: every bundle of the server has its own copy of this module, but there must be one list.
const key = Symbol.for('belay.live-commands')

/** Enters a command and returns its undo. */
export function enterCommand(command: LiveCommand): () => void {
  const live = liveCommands()
  live.add(command)
  return () => live.delete(command)
}

/**
 * SIGKILL to every process of every running command, at once and without waiting: for the second signal and for the end of the
 * shutdown's patience (R3). Also runs by itself when the process exits in any way that lets it. Without `/proc` only groups are reached.
 */
export function endAllCommands(): void {
  for (const command of liveCommands()) command.killNow()
}

function liveCommands(): Set<LiveCommand> {
  const holder = globalThis as { [key]?: Set<LiveCommand> }
  const existing = holder[key]
  if (existing) return existing
  const live = new Set<LiveCommand>()
  holder[key] = live
  process.on('exit', endAllCommands)
  return live
}
