import { changeDefaultModelBody } from '@/lib/contract/providers'
import { route } from '@/server/container/route'

export const GET = route({}, ({ models }) => ({
  status: 200,
  body: { models: models.list(), default: models.default() },
}))

export const PATCH = route({ body: changeDefaultModelBody }, ({ models, providers }, { body }) => {
  providers.chooseDefault(body.default)
  return { status: 200, body: { models: models.list(), default: models.default() } }
})
