import { route } from '@/server/container/route'

export const GET = route({}, ({ models }) => ({
  status: 200,
  body: { models: models.list(), default: models.default() },
}))
