// Routes of UDF keys.
import { done } from '#shared/http/app-error.ts'
import { callerOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { udfKeyRoutes } from '#shared/udf/key-contract.ts'
import type { UdfKeyService } from './udf-key-service.ts'

export function udfKeyHandlers({ keys }: { readonly keys: UdfKeyService }): Handlers<typeof udfKeyRoutes> {
  return {
    list: async ({ session }) => ({ success: true, data: await keys.list(session) }),
    create: async ({ session, body, request }) => ({
      ...done('udfKeys.created'),
      data: await keys.create(session, body, callerOf(request)),
    }),
    revoke: async ({ session, params, request }) => {
      await keys.revoke(session, params.id, callerOf(request))
      return done('udfKeys.revoked')
    },
  }
}
