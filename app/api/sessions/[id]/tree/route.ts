import { sessionParams } from '@/lib/contract/commands'
import { route } from '@/server/container/route'

export const GET = route({ params: sessionParams }, ({ sessions }, { params }) => ({
  status: 200,
  body: { nodes: sessions.tree(params.id) },
}))
