// What all logs have in common.
import { pino, type LoggerOptions } from 'pino'
import { redactUdfKeys } from './http/redact.ts'

/** Lines of JSON without host and process, with times in UTC; keys that travel in addresses never get into one. */
export const logOptions: LoggerOptions = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  hooks: { streamWrite: redactUdfKeys },
}
