// Routes of the chart page.
import type { Handlers } from '#server/http/serve.ts'
import type { chartRoutes } from '#shared/chart/contract.ts'
import type { ChartService } from './service.ts'

export function chartHandlers({ chart }: { readonly chart: ChartService }): Handlers<typeof chartRoutes> {
  return {
    config: async ({ session, params }) => ({ success: true, data: await chart.config(session.user, params.slug) }),
    settings: async ({ session }) => ({ success: true, data: await chart.settings(session.user._id) }),
    saveSettings: async ({ session, body }) => ({ success: true, data: await chart.saveSettings(session.user._id, body) }),
  }
}
