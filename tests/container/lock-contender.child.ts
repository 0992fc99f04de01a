/** A process of its own that takes the server lock of the folder it is given, for `server-lock.spec.ts`. */
import { takeServerLock } from '@/server/container/server-lock'

const home = process.argv[2] ?? ''
try {
  takeServerLock(home, 'http://127.0.0.1:1')
  process.send?.({ taken: true, text: '' })
} catch (error) {
  process.send?.({ taken: false, text: String(error) })
}
setInterval(() => undefined, 1000)
