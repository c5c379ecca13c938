// A candle on the wire.
import { z } from 'zod'

const price = z.number()

/** Timestamp, open, high, low, close, volume, taker buy volume. */
export const candleRowSchema = z.tuple([z.int(), price, price, price, price, z.number().nullable(), z.number().nullable()])

export type CandleRow = z.output<typeof candleRowSchema>
