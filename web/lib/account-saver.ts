// Saves account data of this page: unsaved changes are kept in local storage, saved when the page is hidden, and dropped from
// memory when the session ends; a page that is shown again reloads.
import { after } from './after.ts'
import { apiErrorOf } from './api-error.ts'
import { browserStorage, session } from './browser-storage.ts'
import { versionedSaver, type VersionedSaver, type VersionedSaverOptions } from './versioned-saver.ts'

export interface AccountSaverOptions<T> extends Omit<VersionedSaverOptions<T>, 'kindOf' | 'keep' | 'after'> {
  /** Local storage key of the unsaved changes. */
  readonly key: string
  /** Whether the data is on the screen; otherwise a page that is shown again does not reload it. */
  readonly isShown?: () => boolean
}

/** It ends with `stop`, or with the session. */
export function accountSaver<T>({ key, isShown = () => true, ...options }: AccountSaverOptions<T>): VersionedSaver<T> {
  const saver = versionedSaver<T>({
    ...options,
    kindOf: saveErrorKind,
    keep: { get: () => browserStorage.get(key), set: (text) => browserStorage.set(key, text), remove: () => browserStorage.remove(key) },
    after,
  })
  const listening = new AbortController()
  const { signal } = listening
  window.addEventListener('pagehide', saver.flush, { signal })
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState !== 'visible') saver.flush()
      else if (isShown()) saver.refresh()
    },
    { signal },
  )
  const stopListening = session.onClear(() => end(saver.discard))
  const end = (how: () => void) => {
    listening.abort()
    stopListening()
    how()
  }
  return { ...saver, stop: () => end(saver.stop) }
}

/** What a failed save means: another device was faster, a rejection that is final, or a server that may succeed next time. */
function saveErrorKind(error: unknown): 'conflict' | 'final' | 'passing' {
  const status = apiErrorOf(error)?.status
  if (status === 409) return 'conflict'
  return status === undefined || status === 0 || status === 429 || status >= 500 ? 'passing' : 'final'
}
