// What the browser keeps between visits: the session token, the user's display fields and small preferences.
import { listenerSet } from '#shared/base/listeners.ts'
import { parseJson } from '#shared/base/parse-json.ts'

export interface SafeStorage {
  readonly get: (key: string) => string | undefined
  readonly set: (key: string, value: string) => void
  readonly remove: (key: string) => void
}

/** Fields of the user that are kept for display; rights are never read from here. */
interface StoredUser {
  readonly name: string
  readonly email: string
  readonly role: string
  readonly isPremium: boolean
}

export interface SessionStore {
  readonly token: () => string | undefined
  readonly user: () => StoredUser | undefined
  /** Keeps the token of a new session and the display fields of its user. */
  readonly save: (token: string, user: StoredUser) => void
  readonly saveUser: (user: StoredUser) => void
  /** Calls back when a new session begins here; returns the way to stop. */
  readonly onSave: (listener: () => void) => () => void
  /** Forgets token and user and tells every listener. */
  readonly clear: () => void
  /** Calls back when the session was cleared here or in another tab; returns the way to stop. */
  readonly onClear: (listener: () => void) => () => void
}

/** Small choices of this browser, such as the style of the chart; they stay when the session ends. */
export interface ChoiceStore {
  readonly get: (name: string) => string | undefined
  /** Keeps a choice and tells every listener. */
  readonly set: (name: string, value: string) => void
  readonly onChange: (listener: () => void) => () => void
}

const tokenKey = 'sessionToken'
const userKey = 'user'

/**
 * Wraps a browser storage so that it never throws.
 * Where the browser blocks or fills up its storage, values live in memory until the page goes.
 */
export function createSafeStorage(area: () => Storage): SafeStorage {
  const memory = new Map<string, string>()
  return {
    get: (key) => memory.get(key) ?? attempt(() => area().getItem(key)) ?? undefined,
    set: (key, value) => {
      memory.delete(key)
      if (attempt(() => (area().setItem(key, value), true)) !== true) memory.set(key, value)
    },
    remove: (key) => {
      memory.delete(key)
      attempt(() => area().removeItem(key))
    },
  }
}

/** Makes the session store on any storage. */
export function createSessionStore(store: SafeStorage): SessionStore {
  const begun = listenerSet()
  const cleared = listenerSet()
  const clear = () => {
    store.remove(tokenKey)
    store.remove(userKey)
    cleared.notify()
  }
  const saveUser = ({ name, email, role, isPremium }: StoredUser) => store.set(userKey, JSON.stringify({ name, email, role, isPremium }))
  return {
    token: () => store.get(tokenKey),
    user: () => parseUser(store.get(userKey)),
    save: (token, user) => {
      store.set(tokenKey, token)
      saveUser(user)
      begun.notify()
    },
    saveUser,
    onSave: begun.add,
    clear,
    onClear: cleared.add,
  }
}

/** Makes the store of choices on any storage; a prefix keeps them apart from other keys. */
export function createChoiceStore(store: SafeStorage, prefix: string): ChoiceStore {
  const listeners = listenerSet()
  return {
    get: (name) => store.get(prefix + name),
    set: (name, value) => {
      store.set(prefix + name, value)
      listeners.notify()
    },
    onChange: listeners.add,
  }
}

/** True where a storage event of another tab says that the session ended there. */
export function isSessionEnd(event: Pick<StorageEvent, 'key' | 'newValue'>): boolean {
  return event.key === null || (event.key === tokenKey && event.newValue === null)
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

/** The session of this browser. */
export const session = createSessionStore(createSafeStorage(() => window.localStorage))

/** What this browser remembers about the chart. */
export const chartChoices = createChoiceStore(
  createSafeStorage(() => window.localStorage),
  'chart.',
)
