// Routes of a user's own broker.
import { callerOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { brokerRoutes } from '#shared/brokers/contract.ts'
import { brokersText as text } from '#shared/text/en/brokers.ts'
import type { BrokerService } from './service.ts'

export function brokerHandlers({ brokers }: { brokers: BrokerService }): Handlers<typeof brokerRoutes> {
  return {
    state: async ({ session }) => ({ success: true, data: await brokers.stateOf(session) }),
    connectKite: async ({ session, body }) => ({ success: true, data: { loginUrl: await brokers.connectKite(session, body) } }),
    renewKite: async ({ session }) => ({ success: true, data: { loginUrl: await brokers.renewKite(session) } }),
    finishKite: async ({ session, body, request }) => {
      await brokers.finishKite(session, body, callerOf(request))
      return { success: true, message: text.isConnected }
    },
    connectOpenAlgo: async ({ session, body, request }) => {
      await brokers.connectOpenAlgo(session, body, callerOf(request))
      return { success: true, message: text.isConnected }
    },
    disconnect: async ({ session, request }) => {
      await brokers.disconnect(session, callerOf(request))
      return { success: true, message: text.isDisconnected }
    },
  }
}
