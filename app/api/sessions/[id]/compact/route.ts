import { emptyBody, sessionParams } from '@/lib/contract/commands'
import { route } from '@/server/container/route'

export const POST = route({ params: sessionParams, body: emptyBody }, ({ sessions }, { params }) => ({
  status: 202,
  body: { accepted: true, effect: sessions.compact(params.id) },
}))
