// Wire schema of an imported holiday list.
import { z } from 'zod'
import { importableExchanges } from './calendar-list.ts'

const row = z.object({ date: z.string(), name: z.string() })

export const calendarListSchema = z.object({
  exchange: z.enum(importableExchanges),
  from: z.string(),
  until: z.string(),
  source: z.string(),
  holidays: z.array(row).readonly(),
  specialSessions: z.array(row.extend({ hours: z.object({ open: z.string(), close: z.string() }).nullable() })).readonly(),
})
