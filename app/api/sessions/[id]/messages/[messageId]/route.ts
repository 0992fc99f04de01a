import { editMessageBody, emptyBody, messageParams } from '@/lib/contract/commands'
import { route } from '@/server/container/route'

export const PATCH = route({ params: messageParams, body: editMessageBody }, ({ sessions }, { params, body }) => {
  sessions.edit(params.id, params.messageId, body)
  return { status: 200, body: { messageId: params.messageId } }
})

export const DELETE = route({ params: messageParams, body: emptyBody }, ({ sessions }, { params }) => {
  sessions.removeMessage(params.id, params.messageId)
  return { status: 204 }
})
