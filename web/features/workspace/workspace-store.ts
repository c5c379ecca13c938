// The workspace of the account that is signed in here: one for the page, joined with what other devices save.
import { listenerSet } from '#shared/base/listeners.ts'
import { useSyncExternalStore } from 'react'
import { workspaceText } from '#shared/text/en/workspace.ts'
import { mergeWorkspaces } from '#shared/workspace/merge.ts'
import { noWorkspace, readWorkspace, type Workspace } from '#shared/workspace/workspace.ts'
import { client } from '#web/lib/api.ts'
import { refusalOf } from '#web/lib/failure.ts'
import { createSafeStorage } from '#web/lib/storage.ts'
import { unsavedWorkspaceKey } from '#web/lib/unsaved.ts'
import { versionedSaver, type VersionedSaver } from '#web/lib/versioned-saver.ts'
import { toast } from '#web/ui/toast-queue.ts'

const delayMs = 800

export interface WorkspaceState {
  readonly workspace: Workspace
  /** False until the server has answered once. */
  readonly isLoaded: boolean
}

const emptyState: WorkspaceState = { workspace: noWorkspace, isLoaded: false }
let saver: VersionedSaver<Workspace> | undefined
let state = emptyState
const listeners = listenerSet()

export function useWorkspace(): WorkspaceState {
  return useSyncExternalStore(listeners.add, workspaceNow)
}

export function workspaceNow(): WorkspaceState {
  return state
}

/** Shown at once and saved a moment later; before the server has answered it is done after that. */
export function changeWorkspace(update: (workspace: Workspace) => Workspace): void {
  saver?.change(update)
}

/** Begins to keep the workspace of this account; ends with the returned function. */
export function keepWorkspace(userId: string): () => void {
  const area = createSafeStorage(() => window.localStorage)
  const key = unsavedWorkspaceKey(userId)
  const own = versionedSaver<Workspace>({
    empty: noWorkspace,
    read: async () => {
      const { version, workspace } = (await client.workspace.read()).data
      return { version, value: workspace }
    },
    write: async ({ version, value }) => (await client.workspace.save({ body: { version, workspace: value } })).data.version,
    merge: mergeWorkspaces,
    kindOf,
    keep: { get: () => area.get(key), set: (text) => area.set(key, text), remove: () => area.remove(key) },
    parse: readWorkspace,
    delayMs,
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    onValue: (workspace) => show({ workspace, isLoaded: true }),
    onRefused: () => toast({ kind: 'danger', text: workspaceText.saveFailed }),
  })
  saver = own
  own.start()
  const listening = new AbortController()
  const onLook = () => {
    if (document.visibilityState === 'visible') own.refresh()
    else own.flush()
  }
  window.addEventListener('pagehide', own.flush, { signal: listening.signal })
  document.addEventListener('visibilitychange', onLook, { signal: listening.signal })
  return () => {
    listening.abort()
    own.stop()
    if (saver !== own) return
    saver = undefined
    show(emptyState)
  }
}

/** A busy or silent server may answer differently next time; a refusal stays one. */
function kindOf(error: unknown): 'conflict' | 'final' | 'passing' {
  const status = refusalOf(error)?.status
  if (status === 409) return 'conflict'
  return status === undefined || status === 0 || status === 429 || status >= 500 ? 'passing' : 'final'
}

function show(next: WorkspaceState): void {
  state = next
  listeners.notify()
}
