// Instruments that are hidden from menu and search.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'

export const instrumentRoutes = {
  hidden: route({
    method: 'GET',
    path: '/market/hidden-instruments',
    access: 'signed-in',
    summary: 'Slugs of the instruments that an admin has taken out of the menu; their charts answer 404.',
    reply: z.object({ success: z.literal(true), data: z.array(z.string()) }),
    errorStatuses: [401],
  }),
}
