// What belongs to the signed-in person in this browser: removed at sign-out, and when another person signs in.
import { browserStorage, type SafeStorage } from './browser-storage.ts'

export interface UnsavedOwner {
  readonly id: string
  readonly email: string
}

/** A sign-out does not wait longer for unsaved changes. */
const saveTimeoutMs = 2_000

const savers = new Set<() => Promise<void>>()

export const unsavedWorkspaceKey = (userId: string) => `workspace.${userId}`

/** Per account: the next user of this browser has their own drawings. */
export const unsavedDrawingsKey = (email: string, series: string) => `drawings.${email}.${series}`

/** Adds what must be saved before a sign-out; returns the function that removes it. */
export function addSaver(save: () => Promise<void>): () => void {
  savers.add(save)
  return () => void savers.delete(save)
}

/** Saves all pending changes, as far as the server can be reached now. */
export async function saveUnsaved(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, saveTimeoutMs))
  if (savers.size > 0) await Promise.race([timeout, Promise.allSettled(Array.from(savers, (save) => save()))])
}

/** Removes the unsaved changes of one account, and keeps those of others. */
export function forgetUnsaved(owner: UnsavedOwner, storage: SafeStorage = browserStorage): void {
  storage.removeWhere((key) => isUnsavedOf(owner, key))
}

/** Removes the unsaved changes of all accounts but this one. */
export function forgetUnsavedOfOthers(owner: UnsavedOwner, storage: SafeStorage = browserStorage): void {
  storage.removeWhere((key) => /^(workspace|drawings)\./.test(key) && !isUnsavedOf(owner, key))
}

function isUnsavedOf({ id, email }: UnsavedOwner, key: string): boolean {
  return key === unsavedWorkspaceKey(id) || key.startsWith(unsavedDrawingsKey(email, ''))
}
