// Contract to service for payment plans.
import { actorOf } from '#server/http/session.ts'
import type { Handlers, Incoming } from '#server/http/serve.ts'
import type { planRoutes } from '#shared/plans/contract.ts'
import { planText } from '#shared/text/en/plans.ts'
import type { PlanEditor, PlansService } from './service.ts'

export function plansHandlers(needs: { plans: PlansService }): Handlers<typeof planRoutes> {
  const { plans } = needs
  return {
    list: async () => ({ success: true, data: await plans.list() }),
    create: async (incoming) => {
      await plans.create(editorOf(incoming), incoming.body)
      return { success: true, message: planText.created }
    },
    update: async (incoming) => {
      await plans.update(editorOf(incoming), incoming.body)
      return { success: true, message: planText.updated }
    },
    remove: async (incoming) => {
      await plans.remove(editorOf(incoming), incoming.params.id)
      return { success: true, message: planText.deleted }
    },
    readImage: async ({ body }) => ({ success: true, data: await plans.readImage(body.qrcodeUrl) }),
    lastChange: async () => ({ success: true, data: await plans.lastChange() }),
  }
}

function editorOf(incoming: Pick<Incoming<typeof planRoutes.lastChange>, 'session' | 'request'>): PlanEditor {
  return { ...actorOf(incoming), confirmedAtMs: incoming.session.confirmedAtMs }
}
