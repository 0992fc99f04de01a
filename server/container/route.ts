/** Makes a route handler that works on this process's container. */
import { type Container, container } from '../container'
import { type Answer, type Door, handle, type RouteHandler, type RouteInput, type RouteShape } from '../http/handle'

const door: Door = {
  access: () => container().access,
  accepting: () => container().isAccepting(),
  report: (error, where) =>
    container().logger.error('a request failed', {
      where,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
}

export function route<P, Q, B>(
  shape: RouteShape<P, Q, B>,
  call: (container: Container, input: RouteInput<P, Q, B>) => Answer | Promise<Answer>,
): RouteHandler {
  return handle(door, shape, (input) => call(container(), input))
}
