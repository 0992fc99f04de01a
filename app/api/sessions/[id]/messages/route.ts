import { sendMessageBody, sessionParams } from '@/lib/contract/commands'
import { route } from '@/server/container/route'

export const POST = route({ params: sessionParams, body: sendMessageBody }, ({ sessions }, { params, body }) => ({
  status: 202,
  body: { messageId: sessions.send(params.id, body) },
}))
