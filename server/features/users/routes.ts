// Route of the current user.
import type { Handlers } from '#server/http/serve.ts'
import type { userRoutes } from '#shared/users/contract.ts'

export const userHandlers: Handlers<typeof userRoutes> = { me: ({ session }) => Promise.resolve(session.user) }
