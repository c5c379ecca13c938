// Parses the engine report from a message event of the provider's frame.
import { parseJson } from '#shared/base/parse-json.ts'
import type { EngineReport } from './engine.ts'

const reports: Readonly<Record<string, EngineReport>> = {
  'tv-widget-load': 'loaded',
  'tv-widget-ready': 'loaded',
  'tv-widget-no-data': 'no-data',
}

/** The report in a message, or undefined; the data is an object or its JSON text. */
export function readWidgetMessage(data: unknown): EngineReport | undefined {
  const message = typeof data === 'string' ? parseJson(data) : data
  if (typeof message !== 'object' || message === null) return undefined
  const fields = message as Readonly<Record<string, unknown>>
  const name = [fields['name'], fields['type'], fields['event']].find((field) => typeof field === 'string')
  return typeof name === 'string' && Object.hasOwn(reports, name) ? reports[name] : undefined
}
