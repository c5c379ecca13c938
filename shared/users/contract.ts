// The calls about the signed-in user: who am I, which sessions, who is online.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { userSchema } from './user.ts'

const done = z.object({ success: z.literal(true), message: z.string() })

const sessionSchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  address: z.string(),
  userAgent: z.string(),
  isCurrent: z.boolean(),
})

export type UserSession = z.output<typeof sessionSchema>

const tab = z.object({ tabId: z.uuid() })

export const userRoutes = {
  me: route({
    method: 'GET',
    path: '/user',
    access: 'signed-in',
    summary: 'The signed-in user, read afresh.',
    reply: userSchema,
    refusals: [401],
  }),
  sessions: route({
    method: 'GET',
    path: '/user/sessions',
    access: 'signed-in',
    summary: 'Own sessions that are still alive, newest first.',
    reply: z.object({ success: z.literal(true), data: z.array(sessionSchema) }),
    refusals: [401],
  }),
  endSession: route({
    method: 'DELETE',
    path: '/user/sessions/:id',
    access: 'signed-in',
    summary: 'End one of the own sessions.',
    params: z.object({ id: z.uuid() }),
    reply: done,
    refusals: [400, 401, 403, 404],
  }),
  beOnline: route({
    method: 'POST',
    path: '/user/presence',
    access: 'signed-in',
    summary: 'This tab is open; to be repeated every 20 seconds.',
    body: tab,
    reply: z.object({ success: z.literal(true) }),
    refusals: [400, 401, 403],
  }),
  beGone: route({
    method: 'POST',
    path: '/user/presence/leave',
    access: 'signed-in',
    summary: 'This tab closes.',
    body: tab,
    reply: z.object({ success: z.literal(true) }),
    refusals: [400, 401, 403],
  }),
  online: route({
    method: 'GET',
    path: '/admin/getOnlineUsers',
    access: 'admin',
    summary: 'Who has a tab open now.',
    reply: z.object({
      success: z.literal(true),
      onlineUsers: z.array(z.object({ id: z.string(), name: z.string(), email: z.string() })),
    }),
    refusals: [401, 403],
  }),
}
