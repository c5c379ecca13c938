// Routes of a user's own sessions.
import { z } from 'zod'
import { messageReply } from '#shared/http/message-reply.ts'
import { route } from '#shared/http/route.ts'

const sessionSchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  address: z.string(),
  userAgent: z.string(),
  isCurrent: z.boolean(),
})

export type UserSession = z.output<typeof sessionSchema>

export const sessionRoutes = {
  list: route({
    method: 'GET',
    path: '/user/sessions',
    access: 'signed-in',
    summary: 'Own sessions that are still alive, newest first.',
    reply: z.object({ success: z.literal(true), data: z.array(sessionSchema) }),
    errorStatuses: [401],
  }),
  end: route({
    method: 'DELETE',
    path: '/user/sessions/:id',
    access: 'signed-in',
    summary: 'End one of the own sessions.',
    params: z.object({ id: z.uuid() }),
    reply: messageReply,
    errorStatuses: [400, 401, 403, 404],
  }),
}
