// Routes of a user's own broker.
import { done } from '#shared/http/app-error.ts'
import { callerOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { brokerRoutes } from '#shared/brokers/contract.ts'
import type { BrokerService } from './service.ts'

export function brokerHandlers({ brokers }: { brokers: BrokerService }): Handlers<typeof brokerRoutes> {
  return {
    state: async ({ session }) => ({ success: true, data: await brokers.stateOf(session) }),
    connectKite: async ({ session, body }) => ({ success: true, data: { loginUrl: await brokers.connectKite(session, body) } }),
    renewKite: async ({ session }) => ({ success: true, data: { loginUrl: await brokers.renewKite(session) } }),
    finishKite: async ({ session, body, request }) => {
      await brokers.finishKite(session, body, callerOf(request))
      return done('brokers.isConnected')
    },
    connectOpenAlgo: async ({ session, body, request }) => {
      await brokers.connectOpenAlgo(session, body, callerOf(request))
      return done('brokers.isConnected')
    },
    disconnect: async ({ session, request }) => {
      await brokers.disconnect(session, callerOf(request))
      return done('brokers.isDisconnected')
    },
  }
}
