// Storage of the browser that never throws, and in it the session: its token and the display fields of its user.
import { listenerSet } from '#shared/base/listeners.ts'
import { parseJson } from '#shared/base/parse-json.ts'

export interface SafeStorage {
  readonly get: (key: string) => string | undefined
  readonly set: (key: string, value: string) => void
  readonly remove: (key: string) => void
  readonly removeWhere: (isGone: (key: string) => boolean) => void
}

/** Fields of the user stored for display; access rights are never read from here. */
interface StoredUser {
  readonly name: string
  readonly email: string
  readonly role: string
  readonly isPremium: boolean
}

export interface SessionStore {
  readonly token: () => string | undefined
  readonly user: () => StoredUser | undefined
  /** Stores the token of a new session and the display fields of its user. The session of another user is cleared first. */
  readonly save: (token: string, user: StoredUser) => void
  readonly saveUser: (user: StoredUser) => void
  /** Called when a new session starts here or in another tab; returns an unsubscribe function. */
  readonly onSave: (listener: () => void) => () => void
  /** Another tab has stored a new session. */
  readonly resume: () => void
  /** Removes token and user and notifies all listeners. */
  readonly clear: () => void
  /** Another tab has cleared the session: notifies all listeners, and leaves the storage to that tab. */
  readonly clearedElsewhere: () => void
  /** Called when the session was cleared here or in another tab; returns an unsubscribe function. */
  readonly onClear: (listener: () => void) => () => void
}

const tokenKey = 'sessionToken'
const userKey = 'user'

/**
 * Wraps a browser storage so that it never throws.
 * If the storage is blocked or full, values are kept in memory until the page is closed.
 */
export function createSafeStorage(area: () => Storage): SafeStorage {
  const memory = new Map<string, string>()
  return {
    get: (key) => memory.get(key) ?? attempt(() => area().getItem(key)) ?? undefined,
    set: (key, value) => {
      memory.delete(key)
      if (attempt(() => (area().setItem(key, value), true)) === true) return
      memory.set(key, value)
      // The older value of a full storage would come back with the next page.
      attempt(() => area().removeItem(key))
    },
    remove: (key) => {
      memory.delete(key)
      attempt(() => area().removeItem(key))
    },
    removeWhere(isGone) {
      for (const key of memory.keys()) if (isGone(key)) memory.delete(key)
      attempt(() => {
        const storage = area()
        const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
        for (const key of keys.filter(isGone)) storage.removeItem(key)
      })
    },
  }
}

/** Creates the session store on any storage. */
export function createSessionStore(store: SafeStorage): SessionStore {
  const begun = listenerSet()
  const cleared = listenerSet()
  const user = () => parseUser(store.get(userKey))
  const clear = () => {
    store.remove(tokenKey)
    store.remove(userKey)
    cleared.notify()
  }
  const saveUser = ({ name, email, role, isPremium }: StoredUser) => store.set(userKey, JSON.stringify({ name, email, role, isPremium }))
  return {
    token: () => store.get(tokenKey),
    user,
    save: (token, next) => {
      const before = user()
      if (before !== undefined && before.email !== next.email) clear()
      store.set(tokenKey, token)
      saveUser(next)
      begun.notify()
    },
    saveUser,
    onSave: begun.add,
    resume: begun.notify,
    clear,
    clearedElsewhere: cleared.notify,
    onClear: cleared.add,
  }
}

/** What a storage event of another tab says about the session: it ended there, or a new one was stored. */
export function readSessionEvent({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): 'cleared' | 'saved' | undefined {
  if (key !== null && key !== tokenKey) return undefined
  return newValue === null ? 'cleared' : 'saved'
}

function parseUser(text: string | undefined): StoredUser | undefined {
  if (text === undefined) return undefined
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return undefined
  const { name, email, role, isPremium } = value as Record<string, unknown>
  if (typeof name !== 'string' || typeof email !== 'string' || typeof role !== 'string') return undefined
  return { name, email, role, isPremium: isPremium === true }
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

export const browserStorage = createSafeStorage(() => window.localStorage)

/** Survives a reload, but not the tab. */
export const tabStorage = createSafeStorage(() => window.sessionStorage)

/** The session of this browser. */
export const session = createSessionStore(browserStorage)

/** Prefix of the chart settings, as far as the first paint needs them. */
export const settingsPrefix = 'chart.'

/** Prefix of the charts on the screen of this tab, by user id. */
export const tabScreenPrefix = 'screen.'

/** Removes the chart settings and screens; the account has them. Unsaved changes stay for the next session of the same person. */
export function forgetSettings(): void {
  const isSetting = (key: string) => key.startsWith(settingsPrefix) || key.startsWith(tabScreenPrefix)
  browserStorage.removeWhere(isSetting)
  tabStorage.removeWhere(isSetting)
}
