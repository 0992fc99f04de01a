import { endCallBody, endCallParams } from '@/lib/contract/commands'
import { route } from '@/server/container/route'

export const POST = route({ params: endCallParams, body: endCallBody }, ({ sessions }, { params, body }) => ({
  status: 202,
  body: { accepted: true, effect: sessions.endCall(params.id, params.callId, body) },
}))
