// The hidden instruments, and the routes of the admin's Instruments page.
import { done } from '#shared/http/app-error.ts'
import type { Handlers } from '#server/http/serve.ts'
import { callerOf } from '#server/http/session.ts'
import type { adminInstrumentRoutes } from '#shared/instruments/admin-instrument-contract.ts'
import type { instrumentRoutes } from '#shared/instruments/contract.ts'
import type { InstrumentsService } from './service.ts'

interface Deps {
  readonly instruments: InstrumentsService
}

export function instrumentHandlers({ instruments }: Deps): Handlers<typeof instrumentRoutes> {
  return { hidden: async () => ({ success: true, data: await instruments.hidden() }) }
}

export function adminInstrumentHandlers({ instruments }: Deps): Handlers<typeof adminInstrumentRoutes> {
  return {
    list: async () => ({ success: true, data: await instruments.list() }),
    save: async ({ session, request, params, body }) => {
      const { user, confirmedAtMs } = session
      await instruments.save({ id: user._id, email: user.email, address: callerOf(request).address, confirmedAtMs }, params.slug, body)
      return done('instruments.saved')
    },
  }
}
