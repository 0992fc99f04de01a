import { route } from '@/server/container/route'

export const GET = route({ entry: 'open' }, (container) => ({
  status: 200,
  body: {
    status: container.isAccepting() ? 'ok' : 'shutting-down',
    version: container.version,
    runtimeId: container.runtimeId,
    activeTurns: container.agents.activeTurns(),
  },
}))
