// Carries the choices about the chart between this browser and the account: engine, style, scale, colours and studies.
import { enginePreferences } from '#shared/market/engine-choice.ts'
import { mergeWorkspaces } from '#shared/workspace/merge.ts'
import {
  chartOptionsSchema,
  keptStudiesSchema,
  noWorkspace,
  type KeptChartOptions,
  type KeptStudies,
  type Workspace,
} from '#shared/workspace/workspace.ts'
import { chartChoices } from '#web/lib/storage.ts'
import { changeWorkspace, workspaceNow } from './workspace-store.ts'

/** Names under which the chart keeps its choices. */
const engineName = 'engine'
const optionsName = 'options'
const studiesName = 'studies'

const noStudies = keptStudiesSchema.parse(noWorkspace)

/** What the account says is no choice of the person here. */
let isApplying = false

/** What the account says replaces what this browser had. */
export function applyChoices(workspace: Workspace): void {
  isApplying = true
  apply(workspace)
  isApplying = false
}

function apply({ engine, options, studies, hiddenStudies, studyInputs }: Workspace): void {
  if (engine !== null && chartChoices.get(engineName) !== engine) chartChoices.set(engineName, engine)
  const kept = readOptions()
  if (options !== null && !isSame(options, kept)) chartChoices.set(optionsName, JSON.stringify(options))
  const text = JSON.stringify({ studies, hiddenStudies, studyInputs })
  if (chartChoices.get(studiesName) !== text) chartChoices.set(studiesName, text)
}

/** Keeps every choice that is made from now on for the account; returns the way to stop. */
export function followChoices(): () => void {
  return chartChoices.onChange(() => {
    if (isApplying) return
    const { workspace } = workspaceNow()
    const engine = enginePreferences.find((known) => known === chartChoices.get(engineName)) ?? workspace.engine
    const options = readOptions() ?? workspace.options
    if (engine === workspace.engine && isSame(options, workspace.options)) return
    changeWorkspace((before) => ({ ...before, engine, options }))
  })
}

/**
 * Keeps what is changed about the studies for the account, also before the account has answered: what this browser had
 * may be old by then, so only the change itself is joined with what the account says.
 */
export function followStudies(): () => void {
  let seen = readStudies()
  return chartChoices.onChange(() => {
    const [base, mine] = [seen, readStudies()]
    seen = mine
    if (isApplying || JSON.stringify(base) === JSON.stringify(mine)) return
    changeWorkspace((before) => mergeWorkspaces({ base: { ...before, ...base }, mine: { ...before, ...mine }, theirs: before }))
  })
}

function readStudies(): KeptStudies {
  try {
    return keptStudiesSchema.safeParse(JSON.parse(chartChoices.get(studiesName) ?? 'null')).data ?? noStudies
  } catch {
    return noStudies
  }
}

function readOptions(): KeptChartOptions | undefined {
  try {
    return chartOptionsSchema.safeParse(JSON.parse(chartChoices.get(optionsName) ?? 'null')).data
  } catch {
    return undefined
  }
}

function isSame(one: KeptChartOptions | null, other: KeptChartOptions | null | undefined): boolean {
  if (one === null || other === null || other === undefined) return one === (other ?? null)
  return one.style === other.style && one.scale === other.scale && one.colours === other.colours && one.hasBreaks === other.hasBreaks
}
