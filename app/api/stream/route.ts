import { streamQuery } from '@/lib/contract/commands'
import { route } from '@/server/container/route'
import { lastPosition, respondStream } from '@/server/http/respond-stream'

export const GET = route({ query: streamQuery }, ({ stream }, { query, request }) => {
  const asked = { sessions: query.sessions ?? [], after: lastPosition(request, query.after) }
  return respondStream(request, () => stream.open(asked))
})
