// Routes of payment plans.
import { done } from '#shared/http/app-error.ts'
import { actorOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { planRoutes } from '#shared/plans/contract.ts'
import type { PlansService } from './service.ts'

export function plansHandlers({ plans }: { plans: PlansService }): Handlers<typeof planRoutes> {
  return {
    list: async () => ({ success: true, data: await plans.list() }),
    create: async (incoming) => {
      await plans.create(actorOf(incoming), incoming.body)
      return done('adminPlans.created')
    },
    update: async (incoming) => {
      await plans.update(actorOf(incoming), incoming.body)
      return done('adminPlans.updated')
    },
    remove: async (incoming) => {
      await plans.remove(actorOf(incoming), incoming.params.id)
      return done('adminPlans.deleted')
    },
    readImage: async ({ body }) => ({ success: true, data: await plans.readImage(body.qrcodeUrl) }),
    lastChange: async () => ({ success: true, data: await plans.lastChange() }),
  }
}
