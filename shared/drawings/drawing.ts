// A drawing on a chart: kind, one or two anchors of time and price, and style.
import { z } from 'zod'

export const drawingKinds = ['trend', 'ray', 'horizontal', 'vertical', 'rectangle', 'fibonacci', 'measure', 'text'] as const

export type DrawingKind = (typeof drawingKinds)[number]

/** Names, not colour values, which the painter resolves. */
export const drawingColours = ['accent', 'up', 'down', 'warn', 'text'] as const

export type DrawingColour = (typeof drawingColours)[number]

/** Maximum number of drawings per instrument and account. */
export const drawingsMax = 500

/** Maximum total size as JSON in UTF-8. */
export const drawingsBytesMax = 256 * 1024

export const drawingTextMax = 200

/** The year 2200, as for candles. */
const stampMax = 7_258_118_400_000
const priceMax = 1e12

const anchorSchema = z.object({
  /** Epoch milliseconds; may lie between two bars, or beyond them. */
  timeMs: z.int().min(-stampMax).max(stampMax),
  price: z.number().min(-priceMax).max(priceMax),
})

export type Anchor = z.output<typeof anchorSchema>

/** Number of anchors of each kind. */
export const anchorCounts: Readonly<Record<DrawingKind, 1 | 2>> = {
  trend: 2,
  ray: 2,
  horizontal: 1,
  vertical: 1,
  rectangle: 2,
  fibonacci: 2,
  measure: 2,
  text: 1,
}

export const drawingSchema = z
  .object({
    id: z.string().min(1).max(36),
    kind: z.enum(drawingKinds),
    anchors: z.array(anchorSchema).min(1).max(2),
    colour: z.enum(drawingColours),
    /** Line width in pixels. */
    width: z.int().min(1).max(4),
    /** Content of a text drawing; empty for every other kind. */
    text: z.string().max(drawingTextMax),
  })
  .refine((drawing) => drawing.anchors.length === anchorCounts[drawing.kind], { path: ['anchors'] })
  .refine((drawing) => (drawing.kind === 'text') === (drawing.text.trim() !== ''), { path: ['text'] })

export type Drawing = z.output<typeof drawingSchema>

export const drawingListSchema = z
  .array(drawingSchema)
  .max(drawingsMax)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length)

/** Parses stored drawings; omits invalid ones and duplicate ids. */
export function readDrawings(stored: unknown): readonly Drawing[] {
  if (!Array.isArray(stored)) return []
  const known = new Map<string, Drawing>()
  for (const one of stored as readonly unknown[]) {
    const { success, data } = drawingSchema.safeParse(one)
    if (success && !known.has(data.id) && known.size < drawingsMax) known.set(data.id, data)
  }
  return [...known.values()]
}

/** A valid anchor: whole milliseconds, clamped to the limits. Undefined if a value is not a number. */
export function safeAnchor(timeMs: number | null, price: number | null): Anchor | undefined {
  if (timeMs === null || price === null || !Number.isFinite(timeMs) || !Number.isFinite(price)) return undefined
  const held = (value: number, max: number) => Math.min(max, Math.max(-max, value))
  // Adding 0 normalises negative zero, which JSON does not have.
  return { timeMs: Math.round(held(timeMs, stampMax)) + 0, price: held(price, priceMax) + 0 }
}
