// Route of the change of a role.
import { z } from 'zod'
import { messageReply } from '#shared/http/message-reply.ts'
import { route } from '#shared/http/route.ts'
import { roles } from '#shared/users/user.ts'

export const roleRoutes = {
  change: route({
    method: 'POST',
    path: '/admin/role',
    access: 'admin',
    summary:
      'Make a user an admin, or an admin a user; all sessions of that person end. Asks for the own password when the sign-in is older than 15 minutes.',
    body: z.object({ id: z.uuid(), role: z.enum(roles) }),
    reply: messageReply,
    errorStatuses: [400, 401, 403, 404, 409, 429],
  }),
}
