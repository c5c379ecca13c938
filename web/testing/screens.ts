// Default handlers for the calls of account page, admin area and charts; a test overrides the one it is about.
import { api } from '#shared/api.ts'
import type { BrokerConnection } from '#shared/brokers/contract.ts'
import { AppError } from '#shared/http/app-error.ts'
import { noChartFlags } from '#shared/chart/chart-flags.ts'
import { noWorkspace } from '#shared/workspace/workspace.ts'
import { makeFactors, makeSession } from './factories.ts'
import { server } from './fake-server.ts'

/** An account with consent, one session, no history and no plans on sale. */
export function answerAccountPage(): void {
  server.on(api.sessions.list, () => ({ success: true, data: [makeSession()] }))
  server.on(api.email.state, () => ({ success: true, data: { isConfirmed: false, hasMail: false } }))
  server.on(api.subscriptions.ownHistory, () => ({ success: true, data: [] }))
  server.on(api.privacy.state, () => ({
    success: true,
    data: { consent: 'given', noticeVersion: '2026-11-23', at: '2026-11-22T06:30:00Z', erasedOn: null },
  }))
  server.on(api.plans.list, () => ({ success: true, data: [] }))
  answerBroker()
  server.on(api.udfKeys.list, () => ({ success: true, data: [] }))
  server.on(api.factors.state, () => ({ success: true, data: makeFactors() }))
}

/** A site that offers broker connections; the user has this one, or none. */
export function answerBroker(connection: BrokerConnection | null = null): void {
  const redirectUrl = 'http://localhost/account/broker'
  server.on(api.brokers.state, () => ({ success: true, data: { isOffered: true, hasKiteApp: false, redirectUrl, connection } }))
}

/** No users, requests or plans. */
export function answerAdminPages(): void {
  server.on(api.admin.users, () => [])
  server.on(api.admin.overview, () => ({ success: true, data: { users: 0, premium: 0, pending: 0, expiringIn7Days: 0, revenue: [] } }))
  server.on(api.subscriptions.requests, () => ({ success: true, data: [] }))
  server.on(api.presence.online, () => ({ success: true, onlineUsers: [] }))
  server.on(api.plans.list, () => ({ success: true, data: [] }))
  server.on(api.plans.lastChange, () => ({ success: true, data: null }))
  server.on(api.audit.list, () => ({ success: true, data: [] }))
  server.on(api.marketAdmin.overview, () => ({
    success: true,
    data: { nowMs: Date.now(), series: [], calendars: [], verification: null, process: { liveSockets: 0, hub: 'here' } },
  }))
}

/** A new workspace, all toggles off, and a chart config error: the provider's frame needs a real browser. */
export function answerCharts(): void {
  answerBroker()
  server.on(api.workspace.read, () => ({ success: true, data: { version: 0, workspace: noWorkspace } }))
  server.on(api.workspace.save, ({ body }) => ({ success: true, data: { version: body.version + 1 } }))
  server.on(api.chart.settings, () => ({ success: true, data: noChartFlags }))
  server.on(api.instruments.hidden, () => ({ success: true, data: [] }))
  server.reject(api.chart.config, new AppError('internal', 'http.internal'))
}
