// Where changes that the server does not have yet wait in the browser, by account; they go when the account is erased.
export interface UnsavedOwner {
  readonly id: string
  readonly email: string
}

export const unsavedWorkspaceKey = (userId: string) => `workspace.${userId}`

/** Of this account alone: the next person at this browser has drawings of their own. */
export const unsavedDrawingsKey = (email: string, series: string) => `drawings.${email}.${series}`

/** Removes what waits for one account; what waits for others stays. A browser that blocks its storage keeps nothing anyway. */
export function forgetUnsaved({ id, email }: UnsavedOwner, area: () => Storage): void {
  try {
    const storage = area()
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
    const own = keys.filter((key) => key === unsavedWorkspaceKey(id) || key.startsWith(unsavedDrawingsKey(email, '')))
    for (const key of own) storage.removeItem(key)
  } catch {
    // Blocked.
  }
}
