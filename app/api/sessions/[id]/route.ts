import { changeSessionBody, emptyBody, sessionParams } from '@/lib/contract/commands'
import { route } from '@/server/container/route'

export const GET = route({ params: sessionParams }, ({ sessions }, { params }) => ({
  status: 200,
  body: { session: sessions.get(params.id) },
}))

export const PATCH = route({ params: sessionParams, body: changeSessionBody }, ({ sessions }, { params, body }) => ({
  status: 200,
  body: { session: sessions.change(params.id, body) },
}))

export const DELETE = route({ params: sessionParams, body: emptyBody }, ({ sessions }, { params }) => {
  sessions.remove(params.id)
  return { status: 202, body: { accepted: true } }
})
