// Route of the change of a role.
import { done } from '#shared/http/app-error.ts'
import { callerOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { roleRoutes } from '#shared/auth/role-contract.ts'
import type { RoleService } from './role-service.ts'

export function roleHandlers({ roles }: { readonly roles: RoleService }): Handlers<typeof roleRoutes> {
  return {
    change: async ({ session, body, request }) => {
      await roles.change(session, body, callerOf(request))
      return done(body.role === 'admin' ? 'roles.promoted' : 'roles.demoted')
    },
  }
}
