// Schemas for numbers in providers' JSON, which may be strings or numbers.
import { z } from 'zod'

/** A finite number, written as a number or as plain decimal text; anything else is malformed. */
export const decimal = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
])
