import { createSessionBody, listSessionsQuery } from '@/lib/contract/commands'
import { route } from '@/server/container/route'

export const POST = route({ body: createSessionBody }, ({ sessions }, { body }) => ({
  status: 201,
  body: sessions.create(body),
}))

export const GET = route({ query: listSessionsQuery }, ({ sessions }, { query }) => ({
  status: 200,
  body: sessions.list(query),
}))
