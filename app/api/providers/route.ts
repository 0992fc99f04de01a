import { route } from '@/server/container/route'

export const GET = route({}, ({ providers }) => ({ status: 200, body: providers.list() }))
