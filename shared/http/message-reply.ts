// Reply of a call that only reports success.
import { z } from 'zod'

export const messageReply = z.object({ success: z.literal(true), message: z.string() })
