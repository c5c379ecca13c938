// Admin route of the import of a holiday list.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { importableExchanges } from '#shared/trading-hours/calendar-list.ts'
import { calendarTextMax } from '#shared/trading-hours/read-calendar-lists.ts'

const changeSchema = z.object({
  date: z.string(),
  name: z.string(),
  /** `closed`, `open` for the usual hours, or such as 18:00-19:00. */
  hours: z.string(),
  change: z.enum(['added', 'changed', 'same', 'removed']),
})

export type CalendarChange = z.output<typeof changeSchema>

const previewSchema = z.object({
  exchange: z.enum(importableExchanges),
  /** First day on which it takes effect. */
  from: z.string(),
  until: z.string(),
  source: z.string(),
  changes: z.array(changeSchema),
})

export type CalendarPreview = z.output<typeof previewSchema>

export const calendarImportRoutes = {
  importList: route({
    method: 'POST',
    path: '/admin/market/calendar',
    access: 'admin',
    summary: 'Check a holiday list of NSE or BSE and show what it changes; with `isPreview` false also import it for all processes.',
    body: z.object({ text: z.string().max(calendarTextMax), isPreview: z.boolean() }),
    reply: z.object({ success: z.literal(true), data: z.array(previewSchema) }),
    errorStatuses: [400, 401, 403],
  }),
}
