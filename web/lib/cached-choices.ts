// What the browser caches of the preferences for the first paint of a chart.
import { parseJson } from '#shared/base/safe-json.ts'
import { enginePreferences } from '#shared/chart/engine-choice.ts'
import { chartOptionsSchema, keptStudiesSchema, type Workspace } from '#shared/workspace/workspace.ts'
import { browserStorage, settingsPrefix } from './storage.ts'

export function cachedChoices(): Pick<Workspace, 'engine' | 'options'> & Partial<Workspace> {
  const engine = browserStorage.get(`${settingsPrefix}engine`)
  const read = (name: string) => parseJson(browserStorage.get(settingsPrefix + name) ?? '')
  return {
    engine: enginePreferences.find((known) => known === engine) ?? null,
    options: chartOptionsSchema.safeParse(read('options')).data ?? null,
    ...keptStudiesSchema.safeParse(read('studies')).data,
  }
}
