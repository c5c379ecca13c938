// Syncs the chart choices (engine, options, studies) between this browser and the account.
import { parseJson } from '#shared/base/parse-json.ts'
import { enginePreferences } from '#shared/market/engine-choice.ts'
import { isSame, mergeWorkspaces } from '#shared/workspace/merge.ts'
import { chartOptionsSchema, keptStudiesSchema, noWorkspace, type Workspace } from '#shared/workspace/workspace.ts'
import { chartChoices } from '#web/lib/storage.ts'
import { changeWorkspace } from './workspace-store.ts'

const keys = { engine: 'engine', options: 'options', studies: 'studies' } as const

type Choices = Pick<Workspace, 'engine' | 'options' | 'studies' | 'hiddenStudies' | 'studyInputs'>

/** Values from the account are not user changes. */
let isApplying = false

/** Replaces the choices of this browser with those of the account. */
export function applyChoices({ engine, options, studies, hiddenStudies, studyInputs }: Workspace): void {
  isApplying = true
  if (engine !== null && chartChoices.get(keys.engine) !== engine) chartChoices.set(keys.engine, engine)
  if (options !== null && !isSame(options, readChoices().options)) chartChoices.set(keys.options, JSON.stringify(options))
  const text = JSON.stringify({ studies, hiddenStudies, studyInputs })
  if (chartChoices.get(keys.studies) !== text) chartChoices.set(keys.studies, text)
  isApplying = false
}

/**
 * Saves each change to the account, also changes made before the account has answered. Only the difference is merged,
 * because the other local values may be older than those of the account.
 * @returns a function that stops it
 */
export function followChoices(): () => void {
  let seen = readChoices()
  return chartChoices.onChange(() => {
    const [base, mine] = [seen, readChoices()]
    seen = mine
    if (isApplying || isSame(base, mine)) return
    changeWorkspace((before) => mergeWorkspaces({ base: { ...before, ...base }, mine: { ...before, ...mine }, theirs: before }))
  })
}

function readChoices(): Choices {
  const engine = chartChoices.get(keys.engine)
  return {
    engine: enginePreferences.find((known) => known === engine) ?? null,
    options: chartOptionsSchema.safeParse(readJson(keys.options)).data ?? null,
    ...(keptStudiesSchema.safeParse(readJson(keys.studies)).data ?? keptStudiesSchema.parse(noWorkspace)),
  }
}

function readJson(key: string): unknown {
  return parseJson(chartChoices.get(key) ?? 'null')
}
