import { listEventsQuery, sessionParams } from '@/lib/contract/commands'
import { route } from '@/server/container/route'

export const GET = route({ params: sessionParams, query: listEventsQuery }, ({ sessions }, { params, query }) => ({
  status: 200,
  body: sessions.events(params.id, query),
}))
