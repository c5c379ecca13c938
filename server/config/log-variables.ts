// Log settings, for the environment schema in config.ts.
import { z } from 'zod'
import { logLevels } from '../log.ts'

export const logVariables = {
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  LOG_FORMAT: z.enum(['auto', 'json', 'text'], 'must be auto, json or text').default('auto'),
  LOG_REQUESTS: z
    .string()
    .regex(/^(0(\.\d{1,6})?|1(\.0)?)$/, 'must be a share from 0 to 1, such as 0.05')
    .transform(Number)
    .default(1),
}
