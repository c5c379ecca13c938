// Routes of claims, decisions and months.
import { done } from '#shared/http/app-error.ts'
import { requireRecentPassword, actorOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { subscriptionRoutes } from '#shared/subscriptions/contract.ts'
import type { SubscriptionsService } from './service.ts'

interface Deps {
  readonly subscriptions: SubscriptionsService
  readonly now: () => number
}

export function subscriptionsHandlers({ subscriptions, now }: Deps): Handlers<typeof subscriptionRoutes> {
  return {
    submit: async ({ session, body }) => {
      await subscriptions.submit(session.user._id, body)
      return done('subscriptions.submitted')
    },
    ownHistory: async ({ session }) => ({ success: true, data: await subscriptions.historyOf(session.user._id, 'user') }),
    setStatus: async (incoming) => {
      requireRecentPassword(incoming.session, now())
      const { code, change } = await subscriptions.setStatus(actorOf(incoming), incoming.body)
      return { ...done(code), statuscode: 200, change }
    },
    undo: async (incoming) => {
      requireRecentPassword(incoming.session, now())
      await subscriptions.undo(actorOf(incoming), { id: incoming.params.id, change: incoming.body.change })
      return done('subscriptions.undone')
    },
    term: async ({ params, query }) => ({ success: true, data: await subscriptions.term(params.id, query.months) }),
    changeMonths: async (incoming) => {
      requireRecentPassword(incoming.session, now())
      await subscriptions.changeMonths(actorOf(incoming), incoming.body)
      return done('subscriptions.monthsUpdated')
    },
    requests: async () => ({ success: true, data: await subscriptions.requests() }),
    userHistory: async ({ params }) => ({ success: true, data: await subscriptions.historyOf(params.id, 'admin') }),
  }
}
