// Admin routes of the Instruments page: read and change the settings of instruments.
import { z } from 'zod'
import { messageReply } from '#shared/http/message-reply.ts'
import { route } from '#shared/http/route.ts'
import type { instrumentsText } from '#shared/instruments/text/en-admin.ts'
import type { CodeOf, Issue } from '#shared/messages/message.ts'
import { firstCharts, nativeSources } from '#shared/chart/chart-choice.ts'
import { freeSlug } from './instruments.ts'
import { conditionSchema } from '#shared/market-data/live/contract.ts'
import { substituteSchema, symbolSchema } from '#shared/chart/substitute-schema.ts'
import { widgetSupports } from '#shared/chart/widget-support.ts'

const substitutesMax = 4

const settingFields = {
  symbol: symbolSchema,
  /** What the provider's free widget has of the symbol. */
  widget: z.enum(widgetSupports),
  /** In order of preference. */
  substitutes: z.array(substituteSchema).max(substitutesMax),
  /** Which chart Automatic tries first; null for the server's default. */
  firstChart: z.enum(firstCharts).nullable(),
  isHidden: z.boolean(),
}

const settingSchema = z.object(settingFields)

export type InstrumentSetting = z.output<typeof settingSchema>

const instrumentSchema = z.object({
  ...settingFields,
  slug: z.string(),
  label: z.string(),
  name: z.string(),
  /** Number of changes; 0 for the built-in settings. */
  version: z.int(),
  /** Built-in settings. */
  defaults: settingSchema.pick({ symbol: true, widget: true, substitutes: true }),
  /** What the Tezi chart can show. */
  native: z.enum(nativeSources),
  /** First usable source of the Tezi chart, for example Binance; null without one. */
  source: z.string().nullable(),
  /** Current condition of our own prices; null while this process does not subscribe to them. */
  condition: conditionSchema.nullable(),
})

export type AdminInstrument = z.output<typeof instrumentSchema>

const listSchema = z.object({
  nowMs: z.number(),
  /** The server's setting CHART_FIRST. */
  firstChart: z.enum(firstCharts),
  instruments: z.array(instrumentSchema),
})

export type InstrumentList = z.output<typeof listSchema>

export const adminInstrumentRoutes = {
  list: route({
    method: 'GET',
    path: '/admin/instruments',
    access: 'admin',
    summary: 'Every instrument with its symbol, substitutes, charts and visibility.',
    reply: z.object({ success: z.literal(true), data: listSchema }),
    errorStatuses: [401, 403],
  }),
  save: route({
    method: 'PUT',
    path: '/admin/instruments/:slug',
    access: 'admin',
    summary: 'Change what an instrument shows; `version` is the one that the change is based on. Takes effect within seconds.',
    params: z.object({ slug: z.string().min(1).max(40) }),
    body: z.object({
      ...settingFields,
      version: z.int().min(0),
      /** Whether the preview has shown the symbols; recorded in the audit log. */
      isChecked: z.boolean(),
    }),
    reply: messageReply,
    errorStatuses: [400, 401, 403, 404, 409],
  }),
}

/** The first rule violation that the schema cannot express, by the path of its field. */
export function findSettingIssue(
  setting: InstrumentSetting,
  slug: string,
): Issue<string, CodeOf<'instruments', typeof instrumentsText>> | undefined {
  const symbols = [setting.symbol, ...setting.substitutes.map(({ symbol }) => symbol)]
  const twice = symbols.findIndex((symbol, at) => symbols.indexOf(symbol) < at)
  if (twice > 0) return { field: `substitutes.${twice - 1}.symbol`, code: 'instruments.symbolTwice' }
  return slug === freeSlug && setting.isHidden ? { field: 'isHidden', code: 'instruments.freeHidden' } : undefined
}
