import { forkBody, sessionParams } from '@/lib/contract/commands'
import { route } from '@/server/container/route'

export const POST = route({ params: sessionParams, body: forkBody }, ({ sessions }, { params, body }) => ({
  status: 201,
  body: { session: sessions.fork(params.id, body.turnId) },
}))
