// Reply of a call that only reports success.
import { z } from 'zod'
import { messageShape } from './api-error.ts'

/** A server of an earlier release sends no code. */
export const messageReply = z.object({ success: z.literal(true), message: z.string(), ...messageShape, code: z.string().optional() })
