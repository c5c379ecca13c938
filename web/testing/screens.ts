// Default handlers for the calls of account page, admin area and charts; a test overrides the one it is about.
import { api } from '#shared/api.ts'
import type { BrokerConnection } from '#shared/brokers/contract.ts'
import { AppError } from '#shared/http/app-error.ts'
import { noChartFlags } from '#shared/chart/chart-flags.ts'
import { noWorkspace } from '#shared/workspace/workspace.ts'
import type { User } from '#shared/users/user.ts'
import { idOf } from '#shared/testing/user.ts'
import { eventually } from './eventually.ts'
import type { Page } from './page.ts'
import { openPage } from './render.tsx'
import { makeFactors, makeSession, makeTerm } from './factories.ts'
import { server } from './fake-server.ts'

/** An account with consent, one session, no history and no plans on sale. */
export function answerAccountPage(): void {
  server.on(api.sessions.list, () => ({ success: true, data: [makeSession()] }))
  server.on(api.email.state, () => ({ success: true, data: { isConfirmed: false, hasMail: false, endsAt: null } }))
  server.on(api.subscriptions.ownHistory, () => ({ success: true, data: [] }))
  server.on(api.privacy.state, () => ({
    success: true,
    data: { consent: 'given', noticeVersion: '2026-11-25', at: '2026-11-22T06:30:00Z', erasedOn: null },
  }))
  server.on(api.plans.list, () => ({ success: true, data: [] }))
  answerBroker()
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
  server.on(api.subscriptions.term, () => ({ success: true, data: makeTerm() }))
  server.on(api.presence.online, () => ({ success: true, onlineUsers: [] }))
  server.on(api.plans.list, () => ({ success: true, data: [] }))
  server.on(api.plans.lastChange, () => ({ success: true, data: null }))
  server.on(api.audit.list, () => ({ success: true, data: [] }))
  server.on(api.marketAdmin.overview, () => ({
    success: true,
    data: { nowMs: Date.now(), series: [], calendars: [], verification: null, rejectedRows: [], process: { liveSockets: 0, hub: 'here' } },
  }))
}

/** All Users with one user, as the server knows it now. */
export function openUser(start: User): { readonly page: Page; readonly change: (part: Partial<User>) => void } {
  answerAdminPages()
  let user = { ...start, _id: idOf(2), name: 'Ravi Iyer', email: 'ravi@example.in' }
  server.on(api.admin.users, ({ replyHeaders }) => {
    replyHeaders.set('x-total-count', '1')
    return [user]
  })
  return {
    page: openPage('/admin', { as: 'admin' }),
    change: (part) => {
      user = { ...user, ...part }
    },
  }
}

/** Presses a button of a confirmation once it is possible. */
export async function confirm(page: Page, title: string, button: string): Promise<void> {
  const dialog = await page.find('alertdialog', title)
  const pressed = await page.find('button', button, dialog)
  await eventually(() => {
    if (pressed.hasAttribute('disabled')) throw new Error(`${button} stays disabled`)
  })
  await page.press(button, dialog)
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
