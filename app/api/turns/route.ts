import { listTurnsQuery } from '@/lib/contract/commands'
import { route } from '@/server/container/route'

export const GET = route({ query: listTurnsQuery }, ({ history }, { query }) => ({
  status: 200,
  body: history.list(query),
}))
