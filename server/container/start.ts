/** Start-up, once per process and before the first request: builds the container, or says in plain words why it cannot be. */
import { ConfigError } from '../config'
import { container } from '../container'
import { listenForSignals, placeOf, Shutdown } from '../shutdown'
import { StoreError } from '../store/store-error'
import { endAllCommands } from '../tools/run-command/live-commands'

export function start(): void {
  try {
    const built = container()
    const place = placeOf(process.env, process.stdin.isTTY === true)
    listenForSignals(
      new Shutdown(
        {
          stopAccepting: () => built.stopAccepting(),
          disposeAll: async () => {
            await built.agents.disposeAll()
            await built.sessions.whenRemoved()
          },
          closeStreams: () => built.stream.close(),
          close: () => built.close(),
          endAllCommands,
          warn: (message) => built.logger.warn(message),
          exit: (code) => process.exit(code),
          say: (message) => console.log(message),
        },
        place,
      ),
    )
  } catch (error) {
    const known = error instanceof ConfigError || error instanceof StoreError
    console.error(`\nBelay cannot start.\n${known ? error.message : String(error)}\n`)
    if (!known) console.error(error)
    process.exit(1)
  }
}
