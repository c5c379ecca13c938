// `npx tezi config`: all settings with their effective values and origins, without secrets.
import { readConfig } from '#server/config/config.ts'
import { ConfigError, readProcessEnvironment } from '#server/config/environment.ts'
import { effectiveSettings, unknownVariables } from '#server/config/effective-settings.ts'

export function showConfig(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new Error('Expected no arguments')
  const environment = readProcessEnvironment()
  const settings = effectiveSettings(environment)
  const nameWidth = Math.max(...settings.map(({ name }) => name.length))
  const valueWidth = Math.min(48, Math.max(...settings.map(({ value }) => value.length)))
  for (const { name, value, origin } of settings) console.log(`${name.padEnd(nameWidth)}  ${(value || '–').padEnd(valueWidth)}  ${origin}`)
  console.log(`\nOrigins, first wins: environment, .env (${environment.file ?? 'no such file'}), default`)
  for (const line of unknownVariables(Object.keys(environment.values))) console.log(`Warning: ${line}`)
  try {
    for (const line of readConfig(environment.values).warnings) console.log(`Warning: ${line}`)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const line of error.message.split('\n')) console.log(`Error: ${line}`)
    process.exitCode = 1
  }
  return Promise.resolve()
}
