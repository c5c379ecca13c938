// What an account keeps about its screen, so that another device shows the same: one versioned JSON value.
import { z } from 'zod'
import { defaultAdjustment } from '#shared/market/corporate-actions.ts'
import { enginePreferences } from '#shared/market/engine-choice.ts'
import { knownTimeframes } from '#shared/market/timeframe.ts'

/** Size of a workspace as JSON in UTF-8. */
export const workspaceBytesMax = 64 * 1024

export const layoutsMax = 20
export const layoutNameMax = 40
const favouritesMax = 60
const studiesMax = 40
const inputsMax = 30

export const gridSizes = [1, 2, 4] as const

export type GridSize = (typeof gridSizes)[number]

const slugSchema = z.string().regex(/^[a-z0-9-]{1,40}$/)

/** A value of a choice whose list the screen owns, such as a candle style; unknown ones are read as the default there. */
const choiceSchema = z.string().regex(/^[a-z0-9-]{1,24}$/)

const placeSchema = z.object({ slug: slugSchema, timeframe: z.enum(knownTimeframes) })

/** What a chart shows. */
export type ChartPlace = z.output<typeof placeSchema>

/** Choices of one chart of a grid; what is missing is as the account has it for all. */
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
  /** How long before the candle closes. */
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
  /** Number of the chart that the bars of the page act on. */
  active: z.int().min(0).max(3).default(0),
  /** At least as many as the grid shows; those that it does not show wait for a larger one. */
  charts: z.array(cellSchema).min(1).max(4),
}

const hasChartForEachField = ({ grid, active, charts }: Pick<Screen, 'grid' | 'active' | 'charts'>) =>
  active < charts.length && charts.length >= firstShown({ grid, active }) + grid

/** Number of the first chart that a grid shows: it turns its pages to the active one. */
export function firstShown({ grid, active }: Pick<Screen, 'grid' | 'active'>): number {
  return Math.floor(active / grid) * grid
}

export const screenSchema = z.object(screenFields).refine(hasChartForEachField, { path: ['charts'] })

/** The charts beside each other, and what they do together. */
export type Screen = z.output<z.ZodObject<typeof screenFields>>

const layoutSchema = z
  .object({ id: z.string().min(1).max(36), name: z.string().trim().min(1).max(layoutNameMax), ...screenFields })
  .refine(hasChartForEachField, { path: ['charts'] })

/** A screen under a name. */
export type Layout = z.output<typeof layoutSchema>

const record = <V extends z.ZodType>(value: V, max: number) =>
  z.record(z.string().min(1).max(40), value).refine((values) => Object.keys(values).length <= max)

const studyListSchema = z
  .array(z.string().min(1).max(40))
  .max(studiesMax)
  .refine((ids) => new Set(ids).size === ids.length)

export const workspaceSchema = z.object({
  /** Version of this shape. */
  v: z.literal(1),
  last: placeSchema.nullable(),
  /** The screen as it was left last; null for one chart. */
  screen: screenSchema.nullable().default(null),
  /** Null until the person has chosen, here or on another device. */
  engine: z.enum(enginePreferences).nullable(),
  options: chartOptionsSchema.nullable(),
  /** Studies beside the six toggles that are on, in the order in which they were switched on; the screen knows which there are. */
  studies: studyListSchema,
  /** Studies that are on but not drawn for now. */
  hiddenStudies: studyListSchema,
  /** Inputs of the studies that differ from their defaults, by study and input; `resolveInputs` makes them safe. */
  studyInputs: record(record(z.union([z.number(), z.boolean(), z.string().max(60)]), inputsMax), studiesMax),
  /** Slugs in the person's order. */
  favourites: z
    .array(slugSchema)
    .max(favouritesMax)
    .refine((slugs) => new Set(slugs).size === slugs.length),
  alarm: alarmSchema,
  layouts: z
    .array(layoutSchema)
    .max(layoutsMax)
    .refine((layouts) => new Set(layouts.map(({ id }) => id)).size === layouts.length),
  /** The layout that was opened or saved last; null for none. */
  layoutId: z.string().min(1).max(36).nullable(),
})

export type Workspace = z.output<typeof workspaceSchema>

/** What the account keeps about studies. */
export const keptStudiesSchema = workspaceSchema.pick({ studies: true, hiddenStudies: true, studyInputs: true })

export type KeptStudies = z.output<typeof keptStudiesSchema>

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

/** The workspace in anything that was stored; each field that is broken or missing is as if never set. */
export function readWorkspace(stored: unknown): Workspace {
  const fields = typeof stored === 'object' && stored !== null ? (stored as Readonly<Record<string, unknown>>) : {}
  const whole = workspaceSchema.safeParse({ ...noWorkspace, ...fields, v: 1 })
  if (whole.success) return whole.data
  const broken = new Set(whole.error.issues.map(({ path }) => path[0]))
  const sound = Object.fromEntries(Object.entries(fields).filter(([name]) => !broken.has(name)))
  return workspaceSchema.parse({ ...noWorkspace, ...sound, v: 1 })
}
