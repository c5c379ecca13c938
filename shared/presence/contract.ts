// Routes of presence: heartbeats of open tabs, and the users who are online.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { accountStateSchema } from '#shared/users/user.ts'

const tab = z.object({ tabId: z.uuid() })

export const presenceRoutes = {
  beOnline: route({
    method: 'POST',
    path: '/user/presence',
    access: 'signed-in',
    summary: 'This tab is open and has no live connection; to be repeated every minute. Returns the state of the account.',
    body: tab,
    isBackground: true,
    reply: z.object({ success: z.literal(true), data: accountStateSchema }),
    errorStatuses: [400, 401, 403],
  }),
  beGone: route({
    method: 'POST',
    path: '/user/presence/leave',
    access: 'signed-in',
    summary: 'This tab closes; it is never counted again under this id.',
    body: tab,
    isBackground: true,
    reply: z.object({ success: z.literal(true) }),
    errorStatuses: [400, 401, 403],
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
    errorStatuses: [401, 403],
  }),
}
