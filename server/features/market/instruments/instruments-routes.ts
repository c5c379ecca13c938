// Contract to service for the admin's Instruments page.
import type { Handlers } from '#server/http/serve.ts'
import { callerOf } from '#server/http/session.ts'
import type { adminInstrumentRoutes } from '#shared/market/instruments-contract.ts'
import { instrumentsText } from '#shared/text/en/instruments.ts'
import type { InstrumentsService } from './instruments-service.ts'

export function instrumentsHandlers(deps: { readonly instruments: InstrumentsService }): Handlers<typeof adminInstrumentRoutes> {
  const { instruments } = deps
  return {
    list: async () => ({ success: true, data: await instruments.list() }),
    save: async ({ session, request, params, body }) => {
      const { user, confirmedAtMs } = session
      await instruments.save({ id: user._id, email: user.email, address: callerOf(request).address, confirmedAtMs }, params.slug, body)
      return { success: true, message: instrumentsText.saved }
    },
  }
}
