import { route } from '@/server/container/route'
import { openApiDocument } from '@/server/http/openapi'

export const GET = route({}, ({ version }) => ({ status: 200, body: openApiDocument(version) }))
