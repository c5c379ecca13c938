// Workspace of an account, synced across devices: one versioned JSON value.
import { z } from 'zod'
import { defaultAdjustment } from '#shared/candles/corporate-actions.ts'
import { enginePreferences } from '#shared/chart/chart-choice.ts'
import { knownTimeframes } from '#shared/candles/timeframe.ts'

/** Maximum size of a workspace as JSON in UTF-8. */
export const workspaceBytesMax = 64 * 1024

export const layoutsMax = 20
export const layoutNameMax = 40
const favouritesMax = 60
const studiesMax = 40
const inputsMax = 30

export const gridSizes = [1, 2, 4] as const

export type GridSize = (typeof gridSizes)[number]

const slugSchema = z.string().regex(/^[a-z0-9-]{1,40}$/)

/** A setting whose values are defined by the client, for example a candle style; unknown ones are read as the default there. */
const choiceSchema = z.string().regex(/^[a-z0-9-]{1,24}$/)

const placeSchema = z.object({ slug: slugSchema, timeframe: z.enum(knownTimeframes) })

/** Instrument and timeframe of a chart. */
export type ChartPlace = z.output<typeof placeSchema>

/** Settings of one chart in a grid; missing ones are those of the account. */
const cellSchema = placeSchema.extend({
  engine: z.enum(enginePreferences).optional(),
  style: choiceSchema.optional(),
  scale: choiceSchema.optional(),
})

export type ChartCell = z.output<typeof cellSchema>

export type CellChoices = Omit<ChartCell, keyof ChartPlace>

export const chartOptionsSchema = z.object({
  style: choiceSchema,
  scale: choiceSchema,
  colours: choiceSchema,
  hasBreaks: z.boolean(),
  adjustment: choiceSchema.default(defaultAdjustment),
})

const alarmSchema = z.object({
  isOn: z.boolean(),
  /** Seconds before the candle closes. */
  secondsBefore: z.int().min(1).max(300),
  hasSound: z.boolean(),
  hasNotification: z.boolean(),
})

export type AlarmSettings = z.output<typeof alarmSchema>

const screenFields = {
  grid: z.union([z.literal(1), z.literal(2), z.literal(4)]),
  areSymbolsLinked: z.boolean(),
  areTimeframesLinked: z.boolean(),
  areCrosshairsLinked: z.boolean().default(false),
  /** Index of the active chart, which the toolbar controls. */
  active: z.int().min(0).max(3).default(0),
  /** At least as many as the grid shows; the others are kept for a larger grid. */
  charts: z.array(cellSchema).min(1).max(4),
}

const hasChartForEachField = ({ grid, active, charts }: Pick<ScreenFields, 'grid' | 'active' | 'charts'>) =>
  active < charts.length && charts.length >= firstShown({ grid, active }) + grid

/** Index of the first chart in the grid, which shows the page with the active one. */
export function firstShown({ grid, active }: Pick<ScreenFields, 'grid' | 'active'>): number {
  return Math.floor(active / grid) * grid
}

export const screenSchema = z.object(screenFields).refine(hasChartForEachField, { path: ['charts'] })

type ScreenFields = z.output<z.ZodObject<typeof screenFields>>

const layoutSchema = z
  .object({ id: z.string().min(1).max(36), name: z.string().trim().min(1).max(layoutNameMax), ...screenFields })
  .refine(hasChartForEachField, { path: ['charts'] })

/** A named screen. */
export type Layout = z.output<typeof layoutSchema>

const record = <V extends z.ZodType>(value: V, max: number) =>
  z.record(z.string().min(1).max(40), value).refine((values) => Object.keys(values).length <= max)

const studyListSchema = z
  .array(z.string().min(1).max(40))
  .max(studiesMax)
  .refine((ids) => new Set(ids).size === ids.length)

export const workspaceSchema = z.object({
  /** Version of this format. */
  v: z.literal(1),
  last: placeSchema.nullable(),
  /** The last screen; null for a single chart. */
  screen: screenSchema.nullable().default(null),
  /** Null until the user has chosen, here or on another device. */
  engine: z.enum(enginePreferences).nullable(),
  options: chartOptionsSchema.nullable(),
  /** Active studies besides the six toggles, in the order they were switched on; the client knows which exist. */
  studies: studyListSchema,
  /** Studies that are on but hidden. */
  hiddenStudies: studyListSchema,
  /** Non-default inputs by study and name; validated by `resolveInputs`. */
  studyInputs: record(record(z.union([z.number(), z.boolean(), z.string().max(60)]), inputsMax), studiesMax),
  /** Slugs in the user's order. */
  favourites: z
    .array(slugSchema)
    .max(favouritesMax)
    .refine((slugs) => new Set(slugs).size === slugs.length),
  alarm: alarmSchema,
  layouts: z
    .array(layoutSchema)
    .max(layoutsMax)
    .refine((layouts) => new Set(layouts.map(({ id }) => id)).size === layouts.length),
  /** The layout that was last opened or saved; null for none. */
  layoutId: z.string().min(1).max(36).nullable(),
})

export type Workspace = z.output<typeof workspaceSchema>

/** Study settings of an account. */
export const studySettingsSchema = workspaceSchema.pick({ studies: true, hiddenStudies: true, studyInputs: true })

export const noWorkspace: Workspace = {
  v: 1,
  last: null,
  screen: null,
  engine: null,
  options: null,
  studies: [],
  hiddenStudies: [],
  studyInputs: {},
  favourites: [],
  alarm: { isOn: false, secondsBefore: 10, hasSound: true, hasNotification: false },
  layouts: [],
  layoutId: null,
}

/** Parses a stored workspace; invalid or missing fields are unset. */
export function readWorkspace(stored: unknown): Workspace {
  const fields = typeof stored === 'object' && stored !== null ? (stored as Readonly<Record<string, unknown>>) : {}
  const whole = workspaceSchema.safeParse({ ...noWorkspace, ...fields, v: 1 })
  if (whole.success) return whole.data
  const broken = new Set(whole.error.issues.map(({ path }) => path[0]))
  const sound = Object.fromEntries(Object.entries(fields).filter(([name]) => !broken.has(name)))
  return workspaceSchema.parse({ ...noWorkspace, ...sound, v: 1 })
}
