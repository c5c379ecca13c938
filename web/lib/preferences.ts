// Preferences of the signed-in account: one object for the page, saved to the account and merged with changes from other
// devices. The browser caches what the first paint of a chart needs, and each tab keeps its screen.
import { useSyncExternalStore } from 'react'
import { listenerSet } from '#shared/base/listeners.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import { enginePreferences } from '#shared/chart/chart-choice.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'
import { isDeepEqual, mergeWorkspaces } from '#shared/workspace/merge-workspaces.ts'
import type { Screen } from '#shared/workspace/screen.ts'
import {
  chartOptionsSchema,
  noWorkspace,
  readWorkspace,
  screenSchema,
  studySettingsSchema,
  type Workspace,
} from '#shared/workspace/workspace.ts'
import { workspaceRoutes } from '#shared/workspace/contract.ts'
import { toast } from '#web/lib/toast.ts'
import { accountSaver } from './account-saver.ts'
import { call } from './api.ts'
import { unsavedWorkspaceKey } from './forget-unsaved.ts'
import { browserStorage, session, settingsPrefix, tabScreenPrefix, tabStorage } from './browser-storage.ts'
import type { VersionedSaver } from './versioned-saver.ts'

const delayMs = 800

export interface Preferences {
  readonly workspace: Workspace
  /** False until the server has answered once; until then only what the browser caches is known. */
  readonly isLoaded: boolean
}

let saver: VersionedSaver<Workspace> | undefined
let current: Preferences | undefined
const listeners = listenerSet()

// Without notifying: what shows them is closed next.
session.onClear(() => {
  saver = undefined
  current = undefined
})

/** One part of the preferences; fields keep their identity until they change. */
export function usePreferences<T>(select: (preferences: Preferences) => T): T {
  return useSyncExternalStore(listeners.add, () => select(preferencesNow()))
}

export function preferencesNow(): Preferences {
  current ??= { workspace: { ...noWorkspace, ...readCache() }, isLoaded: false }
  return current
}

/** Shown at once and saved soon. Before the account's preferences are loaded, the change is applied again to them. */
export function changePreferences(update: (workspace: Workspace) => Workspace): void {
  const changed = (before: Workspace) => {
    const after = update(before)
    return isDeepEqual(before, after) ? before : after
  }
  if (saver?.isLoaded() === true) return saver.change(changed)
  const { workspace } = preferencesNow()
  const next = changed(workspace)
  if (next !== workspace) show(next, false)
  return saver?.change(changed)
}

/** Loads the preferences of this account and keeps them in sync; returns a stop function. */
export function startPreferences(userId: string): () => void {
  const own = accountSaver<Workspace>({
    key: unsavedWorkspaceKey(userId),
    empty: noWorkspace,
    read: async () => {
      const { version, workspace } = (await call(workspaceRoutes.read)).data
      return { version, value: workspace }
    },
    write: async ({ version, value }) => (await call(workspaceRoutes.save, { body: { version, workspace: value } })).data.version,
    merge: mergeWorkspaces,
    parse: readWorkspace,
    delayMs,
    onValue: (workspace) => show(workspace, true),
    onRejected: () => toast({ kind: 'danger', text: workspaceText.saveFailed }),
  })
  saver = own
  own.start()
  return () => {
    own.stop()
    if (saver !== own) return
    saver = undefined
    current = undefined
    listeners.notify()
  }
}

/** The screen of this tab: restored on reload, and separate for each window. */
export function readTabScreen(userId: string): Screen | undefined {
  return screenSchema.safeParse(parseJson(tabStorage.get(tabScreenPrefix + userId) ?? '')).data
}

export function keepTabScreen(userId: string, screen: Screen): void {
  tabStorage.set(tabScreenPrefix + userId, JSON.stringify(screen))
}

function show(next: Workspace, isLoaded: boolean): void {
  const { workspace: before } = preferencesNow()
  const names = Object.keys(before) as (keyof Workspace)[]
  const unchanged = names.filter((name) => isDeepEqual(before[name], next[name])).map((name) => [name, before[name]] as const)
  // Choices that the account has never stored stay those of this browser.
  const choices = { engine: next.engine ?? before.engine, options: next.options ?? before.options }
  const workspace: Workspace = { ...next, ...choices, ...Object.fromEntries(unchanged) }
  current = { workspace, isLoaded }
  if (saver !== undefined) writeCache(workspace)
  listeners.notify()
}

function readCache(): Partial<Workspace> {
  const engine = browserStorage.get(`${settingsPrefix}engine`)
  const read = (name: string) => parseJson(browserStorage.get(settingsPrefix + name) ?? '')
  return {
    engine: enginePreferences.find((known) => known === engine) ?? null,
    options: chartOptionsSchema.safeParse(read('options')).data ?? null,
    ...studySettingsSchema.safeParse(read('studies')).data,
  }
}

function writeCache({ engine, options, studies, hiddenStudies, studyInputs }: Workspace): void {
  const write = (name: string, text: string) => {
    if (browserStorage.get(settingsPrefix + name) !== text) browserStorage.set(settingsPrefix + name, text)
  }
  if (engine !== null) write('engine', engine)
  if (options !== null) write('options', JSON.stringify(options))
  write('studies', JSON.stringify({ studies, hiddenStudies, studyInputs }))
}
