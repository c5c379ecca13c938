// Routes of a user's own broker.
import type { Handlers } from '#server/http/serve.ts'
import { actorOf } from '#server/http/session.ts'
import type { brokerRoutes } from '#shared/brokers/contract.ts'
import { done } from '#shared/http/app-error.ts'
import type { BrokerService } from './service.ts'

export function brokerHandlers({ brokers }: { brokers: BrokerService }): Handlers<typeof brokerRoutes> {
  return {
    state: async ({ session }) => ({ success: true, data: await brokers.stateOf(session.user._id) }),
    connectKite: async (incoming) => ({ success: true, data: { loginUrl: await brokers.connectKite(actorOf(incoming), incoming.body) } }),
    renewKite: async (incoming) => ({ success: true, data: { loginUrl: await brokers.renewKite(actorOf(incoming)) } }),
    finishKite: async (incoming) => {
      await brokers.finishKite(actorOf(incoming), incoming.body)
      return done('brokers.isConnected')
    },
    connectOpenAlgo: async (incoming) => {
      await brokers.connectOpenAlgo(actorOf(incoming), incoming.body)
      return done('brokers.isConnected')
    },
    disconnect: async (incoming) => {
      await brokers.disconnect(actorOf(incoming))
      return done('brokers.isDisconnected')
    },
  }
}
