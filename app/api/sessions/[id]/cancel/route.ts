import { cancelBody, sessionParams } from '@/lib/contract/commands'
import { route } from '@/server/container/route'

export const POST = route({ params: sessionParams, body: cancelBody }, ({ sessions }, { params, body }) => ({
  status: 202,
  body: sessions.cancel(params.id, body),
}))
